// SPDX-License-Identifier: BSD-3-Clause
// Everybody sends to the root, which receives some at a time. No block is copied on its way. Cost: (p - 1) alpha + n (p - 1)
// beta.
#include "coll/gather/gather.h"

namespace starling::coll {

Task gather_linear(Ctx c, GatherArgs a) {
  if (c.rank != a.root) {
    if (a.send.bytes() > 0) co_await c.send(a.send, a.root);
    co_return;
  }
  if (!a.send.in_place()) c.copy(a.send, a.recv[c.rank]);
  Messages batch(c, kBatch);
  for (int from = 0; from < c.size; ++from) {
    if (from != c.rank) batch.recv(a.recv[from], from);
    if (batch.full()) co_await batch.all();
  }
  co_await batch.all();
}

Traffic gather_linear_traffic(const Load& load) { return {load.ranks - 1, (load.ranks - 1) * load.bytes}; }

}  // namespace starling::coll
