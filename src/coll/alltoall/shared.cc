// SPDX-License-Identifier: BSD-3-Clause
// Shared memory: everybody writes all its blocks into its slot and, when all have, reads one from each. For equal short blocks.
// Cost: one turn of every process on its core; 2 p n beta.
#include "coll/alltoall/alltoall.h"
#include "coll/board.h"

namespace starling::coll {

[[gnu::hot]] Task alltoall_shared(Ctx c, AlltoallArgs a) {
  Step step(c);
  if (!step.attached()) co_await attach_board(c, &step);
  if (!step.attached()) {
    if (a.send.in_place())
      co_await alltoall_pairwise_sendrecv_replace(c, a);
    else
      co_await alltoall_scattered(c, a);
    co_return;
  }
  const Blocks& out = a.send.in_place() ? a.recv : a.send;
  co_await step.opened();
  for (int to = 0; to < c.size; ++to)
    if (to != c.rank) step.write(c, c.rank, out[to], to);
  step.arrive();
  if (!a.send.in_place()) c.copy(a.send[c.rank], a.recv[c.rank]);
  co_await step.all_arrived();
  for (int from = 0; from < c.size; ++from)
    if (from != c.rank) step.read(c, from, a.recv[from], c.rank);
}

}  // namespace starling::coll
