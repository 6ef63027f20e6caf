// SPDX-License-Identifier: BSD-3-Clause
// Linear: everybody tells rank 0, which then tells everybody. Cost: 2 (p - 1) alpha, but all of it at one process. Each of the
// others enters, hears that it may leave, and enters again in one turn on its core. So ranks that share cores need one round of
// turns for a barrier where dissemination needs log2 p.
#include "coll/barrier/barrier.h"

namespace starling::coll {

Task barrier_linear(Ctx c, BarrierArgs) {
  if (c.rank != 0) {
    co_await c.sendrecv({}, 0, {}, 0);
    co_return;
  }
  for (int from = 1; from < c.size; ++from) co_await c.recv({}, from);
  for (int to = 1; to < c.size; ++to) co_await c.send({}, to);
}

Traffic barrier_linear_traffic(const Load& load) { return {2 * (load.ranks - 1), 0}; }

}  // namespace starling::coll
