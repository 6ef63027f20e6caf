// SPDX-License-Identifier: BSD-3-Clause
// Intercommunicators: the root sends to the leader of the other side, who tells its side. The root's own side takes no part.
// Cost: (1 + ceil(log2 p)) (alpha + n beta).
#include "coll/bcast/bcast.h"

namespace starling::coll {

Task bcast_inter_remote_send_local_bcast(Ctx c, BcastArgs a) {
  if (a.root == kProcNull) co_return;
  if (a.root == kRoot) {
    co_await c.send(a.data, 0);
    co_return;
  }
  if (c.rank == 0) co_await c.recv(a.data, a.root);
  BcastArgs inside{a.data, 0};
  co_await bcast_binomial(c.local(), inside);
}

}  // namespace starling::coll
