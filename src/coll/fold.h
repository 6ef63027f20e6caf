// SPDX-License-Identifier: BSD-3-Clause
// Fold: makes a power of two of processes out of any number (Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005). The first 2 r
// ranks go together in pairs of neighbours, so that order is kept: of each the odd one takes part for both. Who takes part has
// a seat.
//
// The canonical order: first the two ranks of each pair are combined, then neighbouring seats, then neighbouring pairs of
// seats, and so on, the lower ranks always on the left. It depends on the number of ranks only. Recursive doubling and halving
// follow it by themselves.
#pragma once

#include "coll/ctx.h"

namespace starling::coll {

struct Fold {
  explicit Fold(const Ctx& c) : Fold(c.size, c.rank) {}
  Fold(int size, int rank) {
    while (seats * 2 <= size) seats *= 2;
    pairs = size - seats;
    seat = rank >= 2 * pairs ? rank - pairs : rank % 2 == 1 ? rank / 2 : -1;
    if (rank < 2 * pairs) neighbour = rank % 2 == 1 ? rank - 1 : rank + 1;
  }
  // Who sits there; it takes part for the ranks first(s) ... first(s + 1) - 1.
  int rank_of(int s) const { return s < pairs ? 2 * s + 1 : s + pairs; }
  int first(int s) const { return s < pairs ? 2 * s : s + pairs; }

  int seats = 1;
  int pairs = 0;
  int seat = -1;       // of this process; -1: the neighbour takes part for it
  int neighbour = -1;  // the other one of its pair; -1: it is alone
};

// Where one process has the vectors of all ranks: calls combine(lower, higher) in the canonical order, each time to replace the
// vector of `higher` by the combination of both. The result is that of the last rank.
template <class Combine>
void in_canonical_order(int size, Combine&& combine) {
  const Fold fold(size, 0);
  for (int pair = 0; pair < fold.pairs; ++pair) combine(2 * pair, 2 * pair + 1);
  for (int distance = 1; distance < fold.seats; distance *= 2)
    for (int seat = 2 * distance - 1; seat < fold.seats; seat += 2 * distance)
      combine(fold.rank_of(seat - distance), fold.rank_of(seat));
}

}  // namespace starling::coll
