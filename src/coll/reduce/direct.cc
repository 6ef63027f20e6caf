// SPDX-License-Identifier: BSD-3-Clause
// Direct: as many processes as there are cores combine one part each, reading it from the memory of the others; the root reads
// the sums. Right for any operation. For long vectors of predefined types between processes of one host that share cores. Cost:
// two turns of every process on its core, and one of the root; 2 n beta + n gamma.
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
  Scratch sum(c, my_part(c, parts_of(c, a)) * a.type->size);
  co_await combine_vectors(c, a, &*vectors, sum.bytes());
  vectors.reset();
  co_await sums.opened();
  sums.publish(c, sum.bytes());
  if (c.rank != a.root) {
    sums.arrive_for(a.root);
    co_await sums.released();
    co_return;
  }
  co_await sums.all_others_arrived();
  sums.arrive();
  collect_parts(c, sums, a);
  sums.release();
}

}  // namespace starling::coll
