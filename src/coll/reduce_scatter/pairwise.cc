// SPDX-License-Identifier: BSD-3-Clause
// Pairwise exchange: p - 1 steps, in each of which everybody sends the block of one other process and combines what it receives
// with its own. For long blocks and commutative operations. Cost: (p - 1) (alpha + n beta + n gamma) for blocks of n bytes.
#include "coll/accumulator.h"
#include "coll/reduce_scatter/reduce_scatter.h"

namespace starling::coll {

Task reduce_scatter_pairwise(Ctx c, ReduceScatterArgs a) {
  const BlockVector source(c, a, a.source(), c.size);
  const Data mine = source[c.rank];
  Accumulator result(c, mine.address, a.in_place() ? nullptr : a.recv, mine.count, *a.type, *a.op);
  for (int distance = 1; distance < c.size; ++distance) {
    const int to = (c.rank + distance) % c.size, from = (c.rank - distance + c.size) % c.size;
    co_await c.sendrecv(source[to], to, result.incoming(), from);
    result.absorb(from < c.rank);
  }
  result.finish(a.recv);
}

Traffic reduce_scatter_direct_traffic(const Load& load) {
  const Count p = load.ranks;
  return {p * (p - 1), (p - 1) * load.bytes};
}

}  // namespace starling::coll
