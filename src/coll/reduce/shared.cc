// SPDX-License-Identifier: BSD-3-Clause
// Shared memory: everybody writes into its slot, the root combines them in the canonical order. For short vectors. Nobody but
// the root waits. Cost: n (beta + p gamma) at the root.
#include "coll/board.h"
#include "coll/reduce/reduce.h"

namespace starling::coll {

[[gnu::hot]] Task reduce_shared(Ctx c, ReduceArgs a) {
  Step step(c);
  if (!step.attached()) co_await attach_board(c, &step);
  if (!step.attached()) {
    co_await reduce_folded_binomial(c, a);
    co_return;
  }
  const bool root = c.rank == a.root;
  co_await step.opened();
  c.copy(data(root ? a.source() : a.send, a.count, *a.type), fitted(step.slot(c.rank), a.count, *a.type));
  if (!root) {
    step.arrive_for(a.root);
    co_return;
  }
  co_await step.all_others_arrived();
  combine_slots(step, *a.op, a.count, *a.type, c.size);
  c.copy(fitted(step.slot(c.size - 1), a.count, *a.type), data(a.recv, a.count, *a.type));
}

}  // namespace starling::coll
