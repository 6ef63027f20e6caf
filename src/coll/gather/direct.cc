// SPDX-License-Identifier: BSD-3-Clause
// Direct: the root tells where the result is, and everybody puts its block there, as many at a time as there are cores. For
// equal long blocks between processes of one host. Cost: one turn of every process on its core, and two of the root; n beta at
// everybody.
#include <algorithm>
#include <optional>

#include "coll/board.h"
#include "coll/gather/gather.h"
#include "coll/packed.h"

namespace starling::coll {

Task gather_direct(Ctx c, GatherArgs a) {
  std::optional<Step> told(std::in_place, c);
  Step delivered(c);
  if (!told->attached()) co_await attach_board(c, &*told);
  if (!told->direct()) {
    co_await gather_linear(c, a);
    co_return;
  }
  c.touches(2 * c.size * (c.rank == a.root ? a.recv.bytes(c.rank) : a.send.bytes()));
  if (c.rank != a.root) {
    Packed block(c, a.send, true);
    co_await told->released_by(a.root);
    const Count room = told->length_of(a.root) / c.size;
    told->put(c, a.root, c.rank * room, block.part(0, std::min(room, a.send.bytes())));
    told.reset();
    co_await delivered.opened();
    delivered.publish(c, nullptr, a.send.bytes());  // the root must know if it was more than it takes
    delivered.arrive_for(a.root);
    co_return;
  }
  const Count block = a.recv.bytes(c.rank);
  Packed result(c, {a.recv.address, a.recv.count * c.size, a.recv.type}, a.send.in_place());
  co_await told->opened();
  told->publish(c, result.all().address, result.all().bytes());
  told->release();
  told.reset();
  if (!a.send.in_place()) c.copy(a.send, result.part(c.rank * block, block));
  co_await delivered.opened();
  co_await delivered.all_others_arrived();
  for (int from = 0; from < c.size; ++from)
    if (from != c.rank) delivered.check_length(from, block);
  result.unpack();
}

}  // namespace starling::coll
