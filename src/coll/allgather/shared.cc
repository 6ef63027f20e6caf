// SPDX-License-Identifier: BSD-3-Clause
// Shared memory: everybody writes into its slot and, when all have, reads the others'. For short blocks. Cost: one turn of
// every process on its core; p n beta.
#include "coll/allgather/allgather.h"
#include "coll/board.h"

namespace starling::coll {

[[gnu::hot]] Task allgather_shared(Ctx c, AllgatherArgs a) {
  Step step(c);
  if (!step.attached()) co_await attach_board(c, &step);
  if (!step.attached()) {
    co_await allgather_brucks(c, a);
    co_return;
  }
  co_await step.opened();
  const Data mine = a.send.in_place() ? a.recv[c.rank] : a.send;
  step.write(c, c.rank, mine);
  step.arrive();
  co_await step.all_arrived();
  for (int from = 0; from < c.size; ++from)
    if (from != c.rank || !a.send.in_place()) step.read(c, from, a.recv[from]);
}

}  // namespace starling::coll
