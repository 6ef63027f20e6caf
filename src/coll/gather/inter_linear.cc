// SPDX-License-Identifier: BSD-3-Clause
// Intercommunicators: everybody on the other side sends to the root. Cost: p alpha + n p beta.
#include "coll/gather/gather.h"

namespace starling::coll {

Task gather_inter_linear(Ctx c, GatherArgs a) {
  if (a.root == kProcNull) co_return;
  if (a.root != kRoot) {
    if (a.send.bytes() > 0) co_await c.send(a.send, a.root);
    co_return;
  }
  Messages batch(c, kBatch);
  for (int from = 0; from < c.remote_size; ++from) {
    batch.recv(a.recv[from], from);
    if (batch.full()) co_await batch.all();
  }
  co_await batch.all();
}

}  // namespace starling::coll
