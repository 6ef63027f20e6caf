// SPDX-License-Identifier: BSD-3-Clause
// Shared memory: everybody writes into its slot, the root reads them all. For equal short blocks. Nobody but the root waits.
// Cost: n beta at everybody, p n beta at the root.
#include "coll/board.h"
#include "coll/gather/gather.h"

namespace starling::coll {

[[gnu::hot]] Task gather_shared(Ctx c, GatherArgs a) {
  Step step(c);
  if (!step.attached()) co_await attach_board(c, &step);
  if (!step.attached()) {
    co_await gather_binomial(c, a);
    co_return;
  }
  co_await step.opened();
  if (c.rank != a.root) {
    step.write(c, c.rank, a.send);
    step.arrive_for(a.root);
    co_return;
  }
  if (!a.send.in_place()) c.copy(a.send, a.recv[c.rank]);
  co_await step.all_others_arrived();
  for (int from = 0; from < c.size; ++from)
    if (from != c.rank) step.read(c, from, a.recv[from]);
}

}  // namespace starling::coll
