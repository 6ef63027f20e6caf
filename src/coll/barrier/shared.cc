// SPDX-License-Identifier: BSD-3-Clause
// Shared memory: everybody counts, the last one lets all go. Cost: one turn of every process on its core, however many share
// it; p atomic additions to one word.
#include "coll/barrier/barrier.h"
#include "coll/board.h"

namespace starling::coll {

[[gnu::hot]] Task barrier_shared(Ctx c, BarrierArgs a) {
  Step step(c);
  if (!step.attached()) co_await attach_board(c, &step);
  if (!step.attached()) {
    co_await barrier_dissemination(c, a);
    co_return;
  }
  co_await step.opened();
  step.arrive();
  co_await step.all_arrived();
}

}  // namespace starling::coll
