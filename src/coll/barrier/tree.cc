// SPDX-License-Identifier: BSD-3-Clause
// Up a binomial tree and down again: 2 (p - 1) messages instead of p log2 p, for networks where the number of messages counts.
// Cost: 2 ceil(log2 p) alpha.
#include "coll/barrier/barrier.h"

namespace starling::coll {

Task barrier_tree(Ctx c, BarrierArgs) {
  int distance = 1;
  for (; distance < c.size && !(c.rank & distance); distance *= 2)
    if (c.rank + distance < c.size) co_await c.recv({}, c.rank + distance);
  if (c.rank != 0) {
    co_await c.send({}, c.rank - distance);
    co_await c.recv({}, c.rank - distance);
  }
  for (distance /= 2; distance > 0; distance /= 2)
    if (c.rank + distance < c.size) co_await c.send({}, c.rank + distance);
}

Traffic barrier_tree_traffic(const Load& load) { return {2 * (load.ranks - 1), 0}; }

}  // namespace starling::coll
