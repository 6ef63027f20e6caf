// SPDX-License-Identifier: BSD-3-Clause
// Direct: everybody reads its blocks from the memory of the others, each beginning with its right neighbour. For equal long
// blocks between processes of one host that share cores, not in place. Cost: two turns of every process on its core; p n beta.
#include <optional>

#include "coll/alltoall/alltoall.h"
#include "coll/board.h"
#include "coll/packed.h"

namespace starling::coll {

Task alltoall_direct(Ctx c, AlltoallArgs a) {
  std::optional<Step> told(std::in_place, c);
  Step taken(c);
  if (!told->attached()) co_await attach_board(c, &*told);
  if (!told->direct()) {
    co_await alltoall_pairwise(c, a);
    co_return;
  }
  co_await told->opened();
  const Data all{a.send.address, a.send.count * c.size, a.send.type};
  c.touches(2 * c.size * all.bytes());
  Packed out(c, all, true);
  told->offer(c, out.all());
  told->arrive();
  c.copy(a.send[c.rank], a.recv[c.rank]);
  co_await told->all_arrived();
  for (int i = 1; i < c.size; ++i) {
    const int from = (c.rank + i) % c.size;
    Packed block(c, a.recv[from], false);
    told->check_length(from, a.recv.bytes(from) * c.size);
    told->fetch(c, from, c.rank * a.recv.bytes(from), block.all());
    block.unpack();
  }
  told.reset();
  co_await taken.opened();
  taken.arrive();
  co_await taken.all_arrived();
}

}  // namespace starling::coll
