// SPDX-License-Identifier: BSD-3-Clause
// The root sends to everybody, some at a time. No block is copied on its way. Cost: (p - 1) alpha + n (p - 1) beta.
#include "coll/scatter/scatter.h"

namespace starling::coll {

Task scatter_linear(Ctx c, ScatterArgs a) {
  if (c.rank != a.root) {
    if (a.recv.bytes() > 0) co_await c.recv(a.recv, a.root);
    co_return;
  }
  if (!a.recv.in_place()) c.copy(a.send[c.rank], a.recv);
  Messages batch(c, kBatch);
  for (int to = 0; to < c.size; ++to) {
    if (to != c.rank) batch.send(a.send[to], to);
    if (batch.full()) co_await batch.all();
  }
  co_await batch.all();
}

Traffic scatter_linear_traffic(const Load& load) { return {load.ranks - 1, (load.ranks - 1) * load.bytes}; }

}  // namespace starling::coll
