// SPDX-License-Identifier: BSD-3-Clause
// Direct: as many processes as there are cores combine one part each, reading it from the memory of the others, into their
// result, from where everybody reads it. Right for any operation. For long vectors of predefined types between processes of one
// host. Cost: two turns of every process on its core, four of those that combine; p n beta + p n gamma, divided among the
// cores, and n beta more for each process.
#include "coll/reduce/direct.h"

#include <optional>

#include "coll/allreduce/allreduce.h"
#include "coll/board.h"

namespace starling::coll {

Task allreduce_direct(Ctx c, ReduceArgs a) {
  std::optional<Step> vectors(std::in_place, c), sums(std::in_place, c);
  Step taken(c);
  if (!vectors->attached()) co_await attach_board(c, &*vectors);
  if (!vectors->direct()) {
    co_await allreduce_reduce_scatter_allgather(c, a);
    co_return;
  }
  // Two do not wait for each other's half: what they would read of it is as much as the vector.
  const bool alone = c.size == 2 && !a.in_place();
  const Partition parts = alone ? Partition{a.count, 1} : parts_of(c, a);
  const int part = alone ? 0 : c.rank;
  const bool combines = part < parts.parts;
  const Count size = a.type->size;
  c.touches(2 * c.size * a.count * size);
  co_await vectors->opened();
  vectors->offer(c, data(a.source(), a.count, *a.type));
  vectors->arrive();
  co_await sums->opened();
  sums->publish(c, a.recv, a.count * size);
  if (combines) {
    co_await vectors->all_arrived();
    combine_part(c, *vectors, a, parts, part, shifted(a.recv, parts.first(part) * size));
  }
  sums->arrive();
  co_await sums->all_arrived();  // nobody reads the vectors any more, so they may be overwritten
  vectors.reset();
  if (alone) co_return;
  for (int i = 0; i < parts.parts; ++i) {
    const int from = (c.rank + i) % parts.parts;
    const Count first = parts.first(from) * size;
    if (from != c.rank) sums->fetch(c, from, first, raw(shifted(a.recv, first), parts.length(from) * size));
  }
  sums.reset();
  co_await taken.opened();
  taken.arrive();
  if (combines) co_await taken.all_arrived();
}

}  // namespace starling::coll
