// SPDX-License-Identifier: BSD-3-Clause
// Direct: everybody reads the root's memory. For long messages between processes of one host that share cores. Cost: one turn
// of every process on its core, then one of the root; p n beta, divided among the cores.
#include "coll/bcast/bcast.h"
#include "coll/board.h"
#include "coll/packed.h"

namespace starling::coll {

Task bcast_direct(Ctx c, BcastArgs a) {
  Step step(c);
  if (!step.attached()) co_await attach_board(c, &step);
  if (!step.direct()) {
    co_await bcast_scatter_ring_allgather(c, a);
    co_return;
  }
  const bool root = c.rank == a.root;
  c.touches(c.size * a.data.bytes());
  Packed packed(c, a.data, root);
  if (root) {
    co_await step.opened();
    step.offer(c, packed.all());
    step.release();
    co_await step.all_others_arrived();
  } else {
    co_await step.released_by(a.root);
    step.check_length(a.root, a.data.bytes());
    step.fetch(c, a.root, 0, packed.all());
    step.arrive_for(a.root);
    packed.unpack();
  }
}

}  // namespace starling::coll
