// SPDX-License-Identifier: BSD-3-Clause
// Binomial tree: the root sends to the process half the way round, then both serve their halves. Cost: ceil(log2 p) (alpha + n
// beta).
#include "coll/bcast/bcast.h"

namespace starling::coll {

Task bcast_binomial(Ctx c, BcastArgs a) {
  const int relative = (c.rank - a.root + c.size) % c.size;
  int distance = 1;
  while (distance < c.size && !(relative & distance)) distance *= 2;
  if (relative != 0) co_await c.recv(a.data, (c.rank - distance + c.size) % c.size);
  for (distance /= 2; distance > 0; distance /= 2)
    if (relative + distance < c.size) co_await c.send(a.data, (c.rank + distance) % c.size);
}

Traffic bcast_binomial_traffic(const Load& load) { return {load.ranks - 1, (load.ranks - 1) * load.bytes}; }

}  // namespace starling::coll
