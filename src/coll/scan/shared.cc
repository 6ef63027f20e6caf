// SPDX-License-Identifier: BSD-3-Clause
// Shared memory: everybody writes into its slot; who comes last combines each with the one before, in the order of ranks, so
// that every slot holds the result of its rank. For short vectors. Cost: one turn of every process on its core; n (beta + p
// gamma) at the last one.
#include "coll/board.h"
#include "coll/scan/scan.h"

namespace starling::coll {

[[gnu::hot]] Task scan_shared(Ctx c, ReduceArgs a) {
  Step step(c);
  if (!step.attached()) co_await attach_board(c, &step);
  if (!step.attached()) {
    co_await scan_recursive_doubling(c, a);
    co_return;
  }
  co_await step.opened();
  c.copy(data(a.source(), a.count, *a.type), fitted(step.slot(c.rank), a.count, *a.type));
  if (step.marked()) {
    step.arrive();
    co_await step.all_arrived();
    combine_up_to(c, step, *a.op, c.rank, data(a.recv, a.count, *a.type));
    co_return;
  }
  if (step.count_in()) {
    prefix_slots(step, *a.op, a.count, *a.type, c.size - 1);
    step.release();
  }
  co_await step.all_arrived();
  c.copy(fitted(step.slot(c.rank), a.count, *a.type), data(a.recv, a.count, *a.type));
}

[[gnu::hot]] Task exscan_shared(Ctx c, ReduceArgs a) {
  Step step(c);
  if (!step.attached()) co_await attach_board(c, &step);
  if (!step.attached()) {
    co_await exscan_recursive_doubling(c, a);
    co_return;
  }
  co_await step.opened();
  c.copy(data(a.source(), a.count, *a.type), fitted(step.slot(c.rank), a.count, *a.type));
  if (step.marked()) {
    step.arrive();
    co_await step.all_arrived();
    if (c.rank > 0) combine_up_to(c, step, *a.op, c.rank - 1, data(a.recv, a.count, *a.type));
    co_return;
  }
  if (step.count_in()) {
    prefix_slots(step, *a.op, a.count, *a.type, c.size - 2);
    step.release();
  }
  co_await step.all_arrived();
  if (c.rank > 0) c.copy(fitted(step.slot(c.rank - 1), a.count, *a.type), data(a.recv, a.count, *a.type));
}

}  // namespace starling::coll
