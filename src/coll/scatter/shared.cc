// SPDX-License-Identifier: BSD-3-Clause
// Shared memory: the root fills everybody's slot. For equal short blocks. The root waits for nobody. Cost: p n beta at the
// root, n beta at everybody.
#include "coll/board.h"
#include "coll/scatter/scatter.h"

namespace starling::coll {

[[gnu::hot]] Task scatter_shared(Ctx c, ScatterArgs a) {
  Step step(c);
  if (!step.attached()) co_await attach_board(c, &step);
  if (!step.attached()) {
    co_await scatter_binomial(c, a);
    co_return;
  }
  if (c.rank != a.root) {
    co_await step.released_by(a.root);
    step.read(c, c.rank, a.recv);
    co_return;
  }
  co_await step.opened();
  for (int to = 0; to < c.size; ++to)
    if (to != c.rank) step.write(c, to, a.send[to]);
  step.release();
  if (!a.recv.in_place()) c.copy(a.send[c.rank], a.recv);
}

}  // namespace starling::coll
