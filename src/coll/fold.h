// SPDX-License-Identifier: BSD-3-Clause
// Fold: makes a power of two of processes out of any number (Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005). The first 2 r
// ranks go together in pairs of neighbours, so that order is kept: of each the odd one takes part for both. Who takes part has
// a seat.
#pragma once

#include "coll/ctx.h"

namespace starling::coll {

struct Fold {
  explicit Fold(const Ctx& c) {
    while (seats * 2 <= c.size) seats *= 2;
    pairs = c.size - seats;
    seat = c.rank >= 2 * pairs ? c.rank - pairs : c.rank % 2 == 1 ? c.rank / 2 : -1;
    if (c.rank < 2 * pairs) neighbour = c.rank % 2 == 1 ? c.rank - 1 : c.rank + 1;
  }
  // Who sits there; it takes part for the ranks first(s) ... first(s + 1) - 1.
  int rank_of(int s) const { return s < pairs ? 2 * s + 1 : s + pairs; }
  int first(int s) const { return s < pairs ? 2 * s : s + pairs; }

  int seats = 1;
  int pairs = 0;
  int seat = -1;       // of this process; -1: the neighbour takes part for it
  int neighbour = -1;  // the other one of its pair; -1: it is alone
};

}  // namespace starling::coll
