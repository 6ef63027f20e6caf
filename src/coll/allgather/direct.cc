// SPDX-License-Identifier: BSD-3-Clause
// Direct: everybody reads its blocks from the memory of the others, each beginning with its right neighbour. For long blocks
// between processes of one host. Cost: two turns of every process on its core; (p - 1) n beta.
#include <optional>

#include "coll/allgather/allgather.h"
#include "coll/board.h"
#include "coll/packed.h"

namespace starling::coll {

Task allgather_direct(Ctx c, AllgatherArgs a) {
  std::optional<Step> told(std::in_place, c);
  Step taken(c);
  if (!told->attached()) co_await attach_board(c, &*told);
  if (!told->direct()) {
    co_await allgather_ring(c, a);
    co_return;
  }
  co_await told->opened();
  c.touches(c.size * (c.size + 1) * a.recv.bytes(c.rank));
  Packed mine(c, a.send.in_place() ? a.recv[c.rank] : a.send, true);
  told->offer(c, mine.all());
  told->arrive();
  if (!a.send.in_place()) c.copy(a.send, a.recv[c.rank]);
  co_await told->all_arrived();
  for (int i = 1; i < c.size; ++i) {
    const int from = (c.rank + i) % c.size;
    Packed block(c, a.recv[from], false);
    told->check_length(from, a.recv.bytes(from));
    told->fetch(c, from, 0, block.all());
    block.unpack();
  }
  told.reset();
  co_await taken.opened();
  taken.arrive();
  co_await taken.all_arrived();
}

}  // namespace starling::coll
