// SPDX-License-Identifier: BSD-3-Clause
// Rabenseifner's algorithm: everybody reduces a part of the vector, and the root collects the parts. For long vectors.
// Cost: (log2 p + p) alpha + 2 n (p - 1) / p beta + n (p - 1) / p gamma, the root receiving each part from who has it.
// Rabenseifner, "Optimization of collective reduction operations", ICCS 2004.
#include "coll/halves.h"
#include "coll/reduce/reduce.h"

namespace starling::coll {

namespace {

// The root takes the part of each seat from who sits there; its own is already in place.
Task collect_halves(Ctx c, Fold fold, Data vector) {
  Messages batch(c, kBatch);
  for (int seat = 0; seat < fold.seats; ++seat) {
    if (seat != fold.seat) batch.recv(half(vector, fold, seat, fold.seats), fold.rank_of(seat));
    if (batch.full()) co_await batch.all();
  }
  co_await batch.all();
}

}  // namespace

Task reduce_reduce_scatter_gather(Ctx c, ReduceArgs a) {
  const Fold fold(c);
  const bool root = c.rank == a.root;
  const Data source = data(root ? a.source() : a.send, a.count, *a.type);
  Scratch memory(c);
  Data vector;
  if (root) {
    vector = data(a.recv, a.count, *a.type);
  } else if (fold.seat >= 0) {
    vector = memory.take(a.count, *a.type);
  }
  co_await fold_data(c, a, fold, source, vector);
  if (fold.seat >= 0) {
    co_await reduce_halves(c, a, fold, folded(fold, source, vector), vector);
    const Data mine = half(vector, fold, fold.seat, fold.seats);
    if (!root && mine.bytes() > 0) co_await c.send(mine, a.root);
  }
  if (root) co_await collect_halves(c, fold, vector);
}

Traffic reduce_reduce_scatter_gather_traffic(const Load& load) {
  Count seats = 1, rounds = 0;
  for (; seats * 2 <= load.ranks; seats *= 2) ++rounds;
  const Count pairs = load.ranks - seats;
  const bool root_has_seat = load.root >= 2 * pairs || load.root % 2 == 1;
  const Count parts = seats - (root_has_seat ? 1 : 0);
  return {pairs + seats * rounds + parts, pairs * load.bytes + (seats - 1) * load.bytes + parts * (load.bytes / seats)};
}

}  // namespace starling::coll
