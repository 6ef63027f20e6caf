// SPDX-License-Identifier: BSD-3-Clause
// Scatter and recursive doubling: the root spreads pieces down a binomial tree, and pairs, pairs of pairs ... exchange what
// they have. Fewer steps than the ring; a power of two of processes takes part, and the others get the whole message from one
// of them. Cost: 2 log2 p alpha + 2 n (p - 1) / p beta for a power of two; alpha + n beta more for others. Thakur,
// Rabenseifner, Gropp, IJHPCA 19(1), 2005.
#include "coll/bcast/bcast.h"
#include "coll/bcast/pieces.h"
#include "coll/fold.h"

namespace starling::coll {

Task bcast_scatter_recursive_doubling_allgather(Ctx c, BcastArgs a) {
  const int relative = (c.rank - a.root + c.size) % c.size, seats = Fold(c).seats;
  if (relative >= seats) {
    co_await c.recv(a.data, (relative - seats + a.root) % c.size);
    co_return;
  }
  const Partition cut{a.data.bytes(), seats};
  Packed packed(c, a.data, relative == 0);
  const Data message = packed.all();
  co_await scatter_pieces(c, message, cut, a.root);
  for (int have = 1; have < seats; have *= 2) {
    const int other = relative ^ have, partner = (other + a.root) % c.size;
    const int mine = relative & ~(have - 1), theirs = other & ~(have - 1);
    co_await c.sendrecv(pieces(message, cut, mine, mine + have), partner, pieces(message, cut, theirs, theirs + have), partner);
  }
  if (relative != 0) packed.unpack();
  if (relative + seats < c.size) co_await c.send(message, (relative + seats + a.root) % c.size);
}

Traffic bcast_scatter_recursive_doubling_allgather_traffic(const Load& load) {
  Count seats = 1, rounds = 0;
  for (; seats * 2 <= load.ranks; seats *= 2) ++rounds;
  const Count piece = load.bytes / seats, others = load.ranks - seats;
  return {seats - 1 + seats * rounds + others,
          blocks_below(static_cast<int>(seats), 2) * piece + seats * (seats - 1) * piece + others * load.bytes};
}

}  // namespace starling::coll
