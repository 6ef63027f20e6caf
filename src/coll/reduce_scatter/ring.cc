// SPDX-License-Identifier: BSD-3-Clause
// Ring: the partial result of each block travels once round, combined at every process, and ends where it belongs. As many
// steps as pairwise exchange, but only neighbours talk. For long blocks and commutative operations. Cost: (p - 1) (alpha + n
// beta + n gamma) for blocks of n bytes.
#include <algorithm>

#include "coll/reduce_scatter/reduce_scatter.h"

namespace starling::coll {

Task reduce_scatter_ring(Ctx c, ReduceScatterArgs a) {
  const BlockVector source(c, a, a.source(), c.size);
  const int right = (c.rank + 1) % c.size, left = (c.rank - 1 + c.size) % c.size;
  Count longest = 0;
  for (int i = 0; i < c.size; ++i) longest = std::max(longest, a.count_of(i));
  Scratch first(c), second(c);
  Data incoming = first.take(longest, *a.type), outgoing = second.take(longest, *a.type);
  Data partial = source[left];  // of the block that goes out
  for (int step = 1; step < c.size; ++step) {
    const Data own = source[(left - step + c.size) % c.size], received = incoming.part(0, own.count);
    co_await c.sendrecv(partial, right, received, left);
    c.reduce(*a.op, own, received);
    partial = received;
    std::swap(incoming, outgoing);
  }
  c.copy(c.size > 1 ? partial : source[c.rank], data(a.recv, a.count_of(c.rank), *a.type));
}

}  // namespace starling::coll
