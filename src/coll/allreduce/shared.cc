// SPDX-License-Identifier: BSD-3-Clause
// Shared memory: everybody writes into its slot, who comes last combines all of them in the canonical order. For short vectors.
// Cost: one turn of every process on its core; n (beta + p gamma) at the last one.
#include "coll/allreduce/allreduce.h"
#include "coll/board.h"

namespace starling::coll {

[[gnu::hot]] Task allreduce_shared(Ctx c, ReduceArgs a) {
  Step step(c);
  if (!step.attached()) co_await attach_board(c, &step);
  if (!step.attached()) {
    co_await allreduce_recursive_doubling(c, a);
    co_return;
  }
  co_await step.opened();
  c.copy(data(a.source(), a.count, *a.type), fitted(step.slot(c.rank), a.count, *a.type));
  if (step.marked()) {
    step.arrive();
    co_await step.all_arrived();
    combine_copies(c, step, *a.op, data(a.recv, a.count, *a.type));
    co_return;
  }
  if (step.count_in()) {
    combine_slots(step, *a.op, a.count, *a.type, c.size);
    step.release();
  }
  co_await step.all_arrived();
  c.copy(fitted(step.slot(c.size - 1), a.count, *a.type), data(a.recv, a.count, *a.type));
}

}  // namespace starling::coll
