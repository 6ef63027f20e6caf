// SPDX-License-Identifier: BSD-3-Clause
#include "coll/halves.h"

namespace starling::coll {

Data half(const Data& vector, const Fold& fold, int seat, int limit) {
  const Partition cut{vector.count, fold.seats};  // one chunk for each seat
  int low = 0, high = fold.seats;
  for (int distance = 1; distance < limit; distance *= 2) {
    const int middle = low + (high - low) / 2;
    (seat & distance ? low : high) = middle;
  }
  return vector.part(cut.first(low), cut.first(high) - cut.first(low));
}

Task reduce_halves(Ctx c, ReduceArgs a, Fold fold, Data mine, Data vector) {
  if (fold.seats == 1) c.copy(mine, vector);
  Scratch memory(c);
  const Data incoming = memory.take(half(vector, fold, fold.seat, 2).count, *a.type);
  for (int distance = 1; distance < fold.seats; distance *= 2) {
    const int seat = fold.seat ^ distance, partner = fold.rank_of(seat);
    const Data keep = half(mine, fold, fold.seat, 2 * distance), give = half(mine, fold, seat, 2 * distance);
    const Data received = incoming.part(0, keep.count), result = half(vector, fold, fold.seat, 2 * distance);
    co_await c.sendrecv(give, partner, received, partner);
    if (seat < fold.seat || c.may_reorder(*a.op)) {
      c.combine(*a.op, received, keep, result);
    } else {
      c.combine(*a.op, keep, received, result);
    }
    mine = vector;
  }
}

Task gather_halves(Ctx c, Fold fold, Data vector) {
  for (int distance = fold.seats / 2; distance > 0; distance /= 2) {
    const int seat = fold.seat ^ distance, partner = fold.rank_of(seat);
    co_await c.sendrecv(half(vector, fold, fold.seat, 2 * distance), partner, half(vector, fold, seat, 2 * distance), partner);
  }
}

Task fold_data(Ctx c, ReduceArgs a, Fold fold, Data source, Data vector) {
  if (fold.seat < 0) {
    co_await c.send(source, fold.neighbour);
    co_return;
  }
  if (fold.neighbour < 0) co_return;
  Scratch memory(c);
  const Data incoming = memory.take(a.count, *a.type);
  co_await c.recv(incoming, fold.neighbour);
  c.combine(*a.op, incoming, source, vector);
}

}  // namespace starling::coll
