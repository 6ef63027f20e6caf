// SPDX-License-Identifier: BSD-3-Clause
// Recursive doubling: pairs exchange and combine their data, then pairs of pairs ... Ranks always combine with a neighbouring
// range of ranks, so that order is kept. For short vectors. Cost: ceil(log2 p) (alpha + n beta + n gamma), and two more steps
// when p is not a power of two.
#include "coll/accumulator.h"
#include "coll/allreduce/allreduce.h"
#include "coll/fold.h"

namespace starling::coll {

Task allreduce_recursive_doubling(Ctx c, ReduceArgs a) {
  const Fold fold(c);
  Accumulator result(c, a.source(), a.in_place() ? nullptr : a.recv, a.count, *a.type, *a.op);
  if (fold.seat < 0) {
    co_await c.send(result.current(), fold.neighbour);
    co_await c.recv(data(a.recv, a.count, *a.type), fold.neighbour);
    co_return;
  }
  if (fold.neighbour >= 0) {
    co_await c.recv(result.incoming(), fold.neighbour);
    result.absorb_lower();
  }
  for (int distance = 1; distance < fold.seats; distance *= 2) {
    const int partner = fold.rank_of(fold.seat ^ distance);
    co_await c.sendrecv(result.current(), partner, result.incoming(), partner);
    result.absorb(partner < c.rank);
  }
  result.finish(a.recv);
  if (fold.neighbour >= 0) co_await c.send(data(a.recv, a.count, *a.type), fold.neighbour);
}

Traffic allreduce_recursive_doubling_traffic(const Load& load) {
  Count seats = 1, rounds = 0;
  for (; seats * 2 <= load.ranks; seats *= 2) ++rounds;
  const Count messages = seats * rounds + 2 * (load.ranks - seats);
  return {messages, messages * load.bytes};
}

}  // namespace starling::coll
