// SPDX-License-Identifier: BSD-3-Clause
// Folded binomial tree: pairs of ranks first, so that a power of two is left, then a binomial tree among those with a seat. It
// combines in the canonical order for every root, where the plain tree does so for rank 0 and a power of two. For short
// vectors. Cost: ceil(log2 p) (alpha + n beta + n gamma), and one more message if the root has no seat.
#include "coll/accumulator.h"
#include "coll/fold.h"
#include "coll/reduce/reduce.h"

namespace starling::coll {

Task reduce_folded_binomial(Ctx c, ReduceArgs a) {
  const Fold fold(c), at_root(c.size, a.root);
  const bool root = c.rank == a.root;
  const int top = at_root.seat < 0 ? at_root.neighbour : a.root;  // where the result appears
  Accumulator result(c, root ? a.source() : a.send, root && !a.in_place() ? a.recv : nullptr, a.count, *a.type, *a.op);
  if (fold.seat < 0) {
    co_await c.send(result.current(), fold.neighbour);
    if (root) co_await c.recv(data(a.recv, a.count, *a.type), top);
    co_return;
  }
  if (fold.neighbour >= 0) {
    co_await c.recv(result.incoming(), fold.neighbour);
    result.absorb_lower();
  }
  const int away = fold.seat ^ Fold(c.size, top).seat;
  for (int distance = 1; distance < fold.seats; distance *= 2) {
    const int partner = fold.rank_of(fold.seat ^ distance);
    if (away & distance) {
      co_await c.send(result.current(), partner);
      co_return;
    }
    co_await c.recv(result.incoming(), partner);
    result.absorb(partner < c.rank);
  }
  if (root) {
    result.finish(a.recv);
  } else {
    co_await c.send(result.current(), a.root);
  }
}

Traffic reduce_folded_binomial_traffic(const Load& load) {
  const Count messages = load.ranks - 1 + (Fold(load.ranks, load.root).seat < 0 ? 1 : 0);
  return {messages, messages * load.bytes};
}

}  // namespace starling::coll
