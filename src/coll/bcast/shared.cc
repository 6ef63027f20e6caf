// SPDX-License-Identifier: BSD-3-Clause
// Shared memory: the root writes into its slot, everybody reads there. The root waits for nobody, until it is as many
// operations ahead as the board has cells. For short messages. Cost: n beta, twice, and one turn of every process.
#include "coll/bcast/bcast.h"
#include "coll/board.h"

namespace starling::coll {

[[gnu::hot]] Task bcast_shared(Ctx c, BcastArgs a) {
  Step step(c);
  if (!step.attached()) co_await attach_board(c, &step);
  if (!step.attached()) {
    co_await bcast_binomial(c, a);
    co_return;
  }
  if (c.rank == a.root) {
    co_await step.opened();
    step.write(c, a.root, a.data);
    step.release();
  } else {
    co_await step.released_by(a.root);
    step.read(c, a.root, a.data);
  }
}

}  // namespace starling::coll
