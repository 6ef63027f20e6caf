// SPDX-License-Identifier: BSD-3-Clause
// Dissemination: in round i everybody tells the processes k^i, 2 k^i ... (k - 1) k^i further on, so that after ceil(log_k p)
// rounds everybody has heard, directly or not, of all others. Cost: ceil(log_k p) (k - 1) alpha. Hensgen, Finkel, Manber, Int.
// J. Parallel Programming 17(1), 1988.
#include <algorithm>
#include <cstdint>

#include "base/settings.h"
#include "coll/barrier/barrier.h"

namespace starling::coll {

Task barrier_dissemination(Ctx c, BarrierArgs) {
  const int degree = std::max(2, settings().barrier_dissem_kval);
  for (std::int64_t step = 1; step < c.size; step *= degree) {
    const int nearest = static_cast<int>(step), end = static_cast<int>(std::min<std::int64_t>(step * degree, c.size));
    for (int away = end - 1 - (end - 1) % nearest; away > nearest; away -= nearest)
      co_await c.send({}, (c.rank + away) % c.size);
    co_await c.sendrecv({}, (c.rank + nearest) % c.size, {}, (c.rank - nearest + c.size) % c.size);
    for (int away = 2 * nearest; away < end; away += nearest) co_await c.recv({}, (c.rank - away + c.size) % c.size);
  }
}

Traffic barrier_dissemination_traffic(const Load& load) {
  const int degree = std::max(2, settings().barrier_dissem_kval);
  Count rounds = 0;
  for (std::int64_t step = 1; step < load.ranks; step *= degree)
    for (std::int64_t distance = step; distance < std::min<std::int64_t>(step * degree, load.ranks); distance += step) ++rounds;
  return {load.ranks * rounds, 0};
}

}  // namespace starling::coll
