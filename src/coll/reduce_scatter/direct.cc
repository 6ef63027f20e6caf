// SPDX-License-Identifier: BSD-3-Clause
// Direct: everybody combines its block, reading it from the memory of the others. Right for any operation. For long vectors of
// predefined types between processes of one host. Cost: two turns of every process on its core; (p - 1) n (beta + gamma) for
// blocks of n bytes.
#include "coll/reduce/direct.h"

#include <optional>

#include "coll/reduce_scatter/reduce_scatter.h"

namespace starling::coll {

Task reduce_scatter_direct(Ctx c, ReduceScatterArgs a) {
  std::optional<Step> vectors(std::in_place, c);
  Step taken(c);
  if (!vectors->attached()) co_await attach_board(c, &*vectors);
  if (!vectors->direct()) {
    co_await reduce_scatter_noncommutative(c, a);
    co_return;
  }
  Count first = 0, total = 0;
  for (int block = 0; block < c.size; ++block) {
    if (block == c.rank) first = total;
    total += a.count_of(block);
  }
  const Count count = a.count_of(c.rank), bytes = count * a.type->size;
  co_await vectors->opened();
  vectors->offer(c, data(a.source(), total, *a.type));
  vectors->arrive();
  // In place the result belongs where others still read their blocks.
  Scratch memory(c);
  void* result = a.in_place() ? memory.take(bytes) : a.recv;
  co_await vectors->all_arrived();
  combine_range(c, *vectors, *a.op, *a.type, first, count, result);
  vectors.reset();
  co_await taken.opened();
  taken.arrive();
  co_await taken.all_arrived();
  if (a.in_place()) c.copy(raw(result, bytes), raw(a.recv, bytes));
}

}  // namespace starling::coll
