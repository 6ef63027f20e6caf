// SPDX-License-Identifier: BSD-3-Clause
// Recursive exchange: pairs tell each other, then pairs of pairs ... As many rounds as dissemination for a power of two, with
// one partner at a time in both directions; others report to a neighbour first and hear from it last. Cost: log2 p alpha, and 2
// alpha more when p is not a power of two.
#include "coll/barrier/barrier.h"
#include "coll/fold.h"

namespace starling::coll {

Task barrier_recursive_exchange(Ctx c, BarrierArgs) {
  const Fold fold(c);
  if (fold.seat < 0) {
    co_await c.sendrecv({}, fold.neighbour, {}, fold.neighbour);
    co_return;
  }
  if (fold.neighbour >= 0) co_await c.recv({}, fold.neighbour);
  for (int distance = 1; distance < fold.seats; distance *= 2) {
    const int partner = fold.rank_of(fold.seat ^ distance);
    co_await c.sendrecv({}, partner, {}, partner);
  }
  if (fold.neighbour >= 0) co_await c.send({}, fold.neighbour);
}

Traffic barrier_recursive_exchange_traffic(const Load& load) {
  Count seats = 1, rounds = 0;
  for (; seats * 2 <= load.ranks; seats *= 2) ++rounds;
  return {seats * rounds + 2 * (load.ranks - seats), 0};
}

}  // namespace starling::coll
