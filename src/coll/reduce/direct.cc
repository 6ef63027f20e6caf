// SPDX-License-Identifier: BSD-3-Clause
// Direct: as many processes as there are cores combine one part each, reading it from the memory of the others; the root reads
// the sums. Right for any operation. For long vectors of predefined types between processes of one host. Cost: two turns of
// every process on its core, and one of the root; 2 n beta + n gamma.
#include "coll/reduce/direct.h"

#include <optional>

#include "coll/reduce/reduce.h"

namespace starling::coll {

Task reduce_direct(Ctx c, ReduceArgs a) {
  std::optional<Step> vectors(std::in_place, c);
  Step sums(c);
  if (!vectors->attached()) co_await attach_board(c, &*vectors);
  if (!vectors->direct()) {
    co_await reduce_reduce_scatter_gather(c, a);
    co_return;
  }
  const bool root = c.rank == a.root;
  // Of two the root does it alone: it has to read as much as the other's vector in any case.
  const Partition parts = c.size == 2 ? Partition{a.count, 1} : parts_of(c, a);
  const int mine = c.size > 2 ? c.rank : root ? 0 : 1;
  const Count size = a.type->size;
  Scratch sum(c);
  // The root's part can go where it belongs at once.
  void* part = root ? shifted(a.recv, parts.first(mine) * size) : nullptr;
  if (!root && mine < parts.parts) part = sum.take(parts.length(mine) * size);
  co_await vectors->opened();
  vectors->offer(c, data(a.source(), a.count, *a.type));
  vectors->arrive();
  co_await vectors->all_arrived();
  if (mine < parts.parts) combine_part(c, *vectors, a, parts, mine, part);
  vectors.reset();
  co_await sums.opened();
  sums.publish(c, part, part ? parts.length(mine) * size : 0);
  if (!root) {
    sums.arrive_for(a.root);
    co_await sums.released_by(a.root);
    co_return;
  }
  co_await sums.all_others_arrived();
  for (int from = 0; from < parts.parts; ++from)
    if (from != mine) sums.fetch(c, from, 0, raw(shifted(a.recv, parts.first(from) * size), parts.length(from) * size));
  sums.release();
}

}  // namespace starling::coll
