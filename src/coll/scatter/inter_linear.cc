// SPDX-License-Identifier: BSD-3-Clause
// Intercommunicators: the root sends to everybody on the other side. Cost: p alpha + n p beta.
#include "coll/scatter/scatter.h"

namespace starling::coll {

Task scatter_inter_linear(Ctx c, ScatterArgs a) {
  if (a.root == kProcNull) co_return;
  if (a.root != kRoot) {
    if (a.recv.bytes() > 0) co_await c.recv(a.recv, a.root);
    co_return;
  }
  Messages batch(c, kBatch);
  for (int to = 0; to < c.remote_size; ++to) {
    batch.send(a.send[to], to);
    if (batch.full()) co_await batch.all();
  }
  co_await batch.all();
}

}  // namespace starling::coll
