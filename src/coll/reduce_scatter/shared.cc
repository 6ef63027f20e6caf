// SPDX-License-Identifier: BSD-3-Clause
// Shared memory: everybody writes its whole input into its slot and, when all have, combines its block of all of them in the
// order of ranks. For short vectors. Cost: one turn of every process on its core; n beta + n gamma.
#include "coll/board.h"
#include "coll/reduce_scatter/reduce_scatter.h"

namespace starling::coll {

[[gnu::hot]] Task reduce_scatter_shared(Ctx c, ReduceScatterArgs a) {
  Step step(c);
  if (!step.attached()) co_await attach_board(c, &step);
  if (!step.attached()) {
    co_await reduce_scatter_noncommutative(c, a);
    co_return;
  }
  co_await step.opened();
  const BlockVector source(c, a, a.source(), c.size);
  const Count count = source.all().count;
  c.copy(source.all(), fitted(step.slot(c.rank), count, *a.type));
  step.arrive();
  co_await step.all_arrived();
  // The operation writes into its right operand, and the slots are for everybody to read: from the last rank to the first.
  const Count mine = a.count_of(c.rank);
  auto block_of = [&](int rank) {
    const BlockVector blocks(c, a, fitted(step.slot(rank), count, *a.type).address, c.size);
    return blocks[c.rank];
  };
  c.copy(block_of(c.size - 1), data(a.recv, mine, *a.type));
  for (int rank = c.size - 2; rank >= 0; --rank) op::reduce(*a.op, block_of(rank).address, a.recv, mine, *a.type);
}

}  // namespace starling::coll
