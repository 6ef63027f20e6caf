// SPDX-License-Identifier: BSD-3-Clause
// Direct: the root tells where the blocks are, and everybody fetches its own, as many at a time as there are cores. For equal
// long blocks between processes of one host. Cost: one turn of every process on its core, and two of the root; n beta at
// everybody.
#include <algorithm>
#include <optional>

#include "coll/board.h"
#include "coll/packed.h"
#include "coll/scatter/scatter.h"

namespace starling::coll {

Task scatter_direct(Ctx c, ScatterArgs a) {
  std::optional<Step> told(std::in_place, c);
  Step fetched(c);
  if (!told->attached()) co_await attach_board(c, &*told);
  if (!told->direct()) {
    co_await scatter_linear(c, a);
    co_return;
  }
  c.touches(2 * c.size * (c.rank == a.root ? a.send.bytes(c.rank) : a.recv.bytes()));
  if (c.rank != a.root) {
    Packed block(c, a.recv, false);
    co_await told->released_by(a.root);
    const Count sent = told->length_of(a.root) / c.size;
    told->check_length(a.root, a.recv.bytes() * c.size);
    told->fetch(c, a.root, c.rank * sent, block.part(0, std::min(sent, a.recv.bytes())));
    told.reset();
    co_await fetched.opened();
    fetched.arrive_for(a.root);
    block.unpack();
    co_return;
  }
  Packed blocks(c, {a.send.address, a.send.count * c.size, a.send.type}, true);
  co_await told->opened();
  told->offer(c, blocks.all());
  told->release();
  told.reset();
  if (!a.recv.in_place()) c.copy(a.send[c.rank], a.recv);
  co_await fetched.opened();
  co_await fetched.all_others_arrived();
}

}  // namespace starling::coll
