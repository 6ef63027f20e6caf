// SPDX-License-Identifier: BSD-3-Clause
// Dissemination: in round k everybody tells the process 2^k further on, so that after ceil(log2 p) rounds everybody has heard,
// directly or not, of all others. Cost: ceil(log2 p) (alpha). Hensgen, Finkel, Manber, Int. J. Parallel Programming 17(1),
// 1988.
#include "coll/barrier/barrier.h"

namespace starling::coll {

Task barrier_dissemination(Ctx c, BarrierArgs) {
  for (int distance = 1; distance < c.size; distance *= 2)
    co_await c.sendrecv({}, (c.rank + distance) % c.size, {}, (c.rank - distance + c.size) % c.size);
}

}  // namespace starling::coll
