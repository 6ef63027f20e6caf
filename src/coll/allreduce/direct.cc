// SPDX-License-Identifier: BSD-3-Clause
// Direct: as many processes as there are cores combine one part each, reading it from the memory of the others; rank 0 reads
// the sums, and everybody reads them from there. Right for any operation. For long vectors of predefined types between
// processes of one host that share cores. Cost: two turns of every process on its core and two of rank 0; 2 p n beta + p n
// gamma, divided among the cores.
#include "coll/reduce/direct.h"

#include <optional>

#include "coll/allreduce/allreduce.h"
#include "coll/board.h"

namespace starling::coll {

Task allreduce_direct(Ctx c, ReduceArgs a) {
  std::optional<Step> vectors(std::in_place, c), sums(std::in_place, c);
  Step result(c);
  if (!vectors->attached()) co_await attach_board(c, &*vectors);
  if (!vectors->direct()) {
    co_await allreduce_reduce_scatter_allgather(c, a);
    co_return;
  }
  Scratch sum(c, my_part(c, parts_of(c, a)) * a.type->size);
  co_await combine_vectors(c, a, &*vectors, sum.bytes());
  vectors.reset();
  co_await sums->opened();
  sums->publish(c, sum.bytes());
  if (c.rank != 0) {
    sums->arrive_for(0);
    co_await result.released();  // nobody reads the vectors any more, so they may be overwritten
    sums.reset();
    result.fetch(c, 0, 0, raw(a.recv, a.count * a.type->size));
    result.arrive_for(0);
    co_return;
  }
  co_await sums->all_others_arrived();
  sums->arrive();
  collect_parts(c, *sums, a);
  sums.reset();
  co_await result.opened();
  result.publish(c, a.recv);
  result.release();
  co_await result.all_others_arrived();
  result.arrive();
}

}  // namespace starling::coll
