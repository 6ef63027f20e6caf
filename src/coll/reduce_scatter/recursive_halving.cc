// SPDX-License-Identifier: BSD-3-Clause
// Recursive halving: partners at half the distance give each other the half of the blocks that the other's half of the
// processes will get. For short blocks and commutative operations. Cost: ceil(log2 p) alpha + n (p - 1) (beta + gamma) for
// blocks of n bytes, and two more steps when p is not a power of two.
#include "coll/fold.h"
#include "coll/reduce_scatter/reduce_scatter.h"

namespace starling::coll {

namespace {

// The halvings among those with a seat: `vector` holds the data of the seat, and the blocks of the seat are complete in the
// end.
Task halve_blocks(Ctx c, ReduceScatterArgs a, Fold fold, const BlockVector* vector, Data incoming) {
  int low = 0, high = fold.seats;  // seats whose blocks are still reduced here
  for (int distance = fold.seats / 2; distance > 0; distance /= 2) {
    const int partner = fold.rank_of(fold.seat ^ distance), middle = low + distance;
    const bool upper = fold.seat & distance;
    const Data lower_half = vector->range(fold.first(low), fold.first(middle));
    const Data upper_half = vector->range(fold.first(middle), fold.first(high));
    const Data keep = upper ? upper_half : lower_half;
    const Data received = incoming.part(0, keep.count);
    co_await c.sendrecv(upper ? lower_half : upper_half, partner, received, partner);
    c.reduce(*a.op, received, keep);
    (upper ? low : high) = middle;
  }
}

}  // namespace

Task reduce_scatter_recursive_halving(Ctx c, ReduceScatterArgs a) {
  const Fold fold(c);
  const BlockVector source(c, a, a.source(), c.size);
  const Data result = data(a.recv, a.count_of(c.rank), *a.type);
  if (fold.seat < 0) {
    co_await c.send(source.all(), fold.neighbour);
    co_await c.recv(result, fold.neighbour);
    co_return;
  }
  Scratch memory(c), more(c);
  const BlockVector vector(c, a, memory.take(source.all().count, *a.type).address, c.size);
  const Data incoming = more.take(source.all().count, *a.type);
  c.copy(source.all(), vector.all());
  if (fold.neighbour >= 0) {
    co_await c.recv(incoming, fold.neighbour);
    c.reduce(*a.op, incoming, vector.all());
  }
  co_await halve_blocks(c, a, fold, &vector, incoming);
  c.copy(vector[c.rank], result);
  if (fold.neighbour >= 0) co_await c.send(vector[fold.neighbour], fold.neighbour);
}

Traffic reduce_scatter_recursive_halving_traffic(const Load& load) {
  Count seats = 1, rounds = 0;
  for (; seats * 2 <= load.ranks; seats *= 2) ++rounds;
  const Count pairs = load.ranks - seats, block = load.bytes / load.ranks;
  // Who has a seat gives away the blocks of all seats but its own, one or two.
  return {seats * rounds + 2 * pairs, (seats - 1) * load.bytes + pairs * (load.bytes + block)};
}

}  // namespace starling::coll
