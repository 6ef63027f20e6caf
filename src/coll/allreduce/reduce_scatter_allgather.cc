// SPDX-License-Identifier: BSD-3-Clause
// Rabenseifner's algorithm: everybody reduces a part of the vector, and recursive doubling brings the parts to all. For long
// vectors. Cost: 2 log2 p alpha + 2 n (p - 1) / p beta + n (p - 1) / p gamma for a power of two; others pay 2 (alpha + n beta)
// + n gamma more. Rabenseifner, "Optimization of collective reduction operations", ICCS 2004.
#include "coll/allreduce/allreduce.h"
#include "coll/halves.h"

namespace starling::coll {

Task allreduce_reduce_scatter_allgather(Ctx c, ReduceArgs a) {
  const Fold fold(c);
  const Data source = data(a.source(), a.count, *a.type), vector = data(a.recv, a.count, *a.type);
  co_await fold_data(c, a, fold, source, vector);
  if (fold.seat < 0) {
    co_await c.recv(vector, fold.neighbour);
    co_return;
  }
  co_await reduce_halves(c, a, fold, folded(fold, source, vector), vector);
  co_await gather_halves(c, fold, vector);
  if (fold.neighbour >= 0) co_await c.send(vector, fold.neighbour);
}

Traffic allreduce_reduce_scatter_allgather_traffic(const Load& load) {
  Count seats = 1, rounds = 0;
  for (; seats * 2 <= load.ranks; seats *= 2) ++rounds;
  const Count pairs = load.ranks - seats;
  return {2 * seats * rounds + 2 * pairs, 2 * (seats - 1) * load.bytes + 2 * pairs * load.bytes};
}

}  // namespace starling::coll
