// SPDX-License-Identifier: BSD-3-Clause
// Scatter and ring allgather: the root spreads p pieces down a binomial tree, and a ring brings each piece to everybody. Every
// process sends and receives about n bytes once more, whatever p. Cost: (ceil(log2 p) + p - 1) alpha + 2 n (p - 1) / p beta.
// Barnett, Gupta, Payne, Shuler, van de Geijn, Watts, "Interprocessor collective communication library", SHPCC 1994.
#include "coll/bcast/bcast.h"
#include "coll/bcast/pieces.h"

namespace starling::coll {

Task bcast_scatter_ring_allgather(Ctx c, BcastArgs a) {
  const int relative = (c.rank - a.root + c.size) % c.size;
  const Partition cut{a.data.bytes(), c.size};
  Packed packed(c, a.data, relative == 0);
  const Data message = packed.all();
  co_await scatter_pieces(c, message, cut, a.root);
  const int right = (c.rank + 1) % c.size, left = (c.rank - 1 + c.size) % c.size;
  for (int step = 0; step < c.size - 1; ++step) {
    const int out = (relative - step + c.size) % c.size, in = (relative - step - 1 + c.size) % c.size;
    co_await c.sendrecv(pieces(message, cut, out, out + 1), right, pieces(message, cut, in, in + 1), left);
  }
  if (relative != 0) packed.unpack();
}

Traffic bcast_scatter_ring_allgather_traffic(const Load& load) {
  const Count p = load.ranks, piece = load.bytes / p;
  return {(p - 1) * (p + 1), blocks_below(load.ranks, 2) * piece + p * (p - 1) * piece};
}

}  // namespace starling::coll
