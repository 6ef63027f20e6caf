// SPDX-License-Identifier: BSD-3-Clause
// Intercommunicators: each side meets at its leader, the leaders tell each other, each tells its side.
// Cost: (ceil(log2 p) + 1 + ceil(log2 p)) alpha for the larger side.
#include "coll/barrier/barrier.h"
#include "coll/bcast/bcast.h"

namespace starling::coll {

Task barrier_inter_bcast(Ctx c, BarrierArgs a) {
  Ctx local = c.local();
  co_await barrier_dissemination(local, a);
  if (c.rank == 0) co_await c.sendrecv({}, 0, {}, 0);
  BcastArgs news{raw(nullptr, 0), 0};
  co_await bcast_binomial(local, news);
}

}  // namespace starling::coll
