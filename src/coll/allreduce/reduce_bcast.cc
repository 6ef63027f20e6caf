// SPDX-License-Identifier: BSD-3-Clause
// Reduce and broadcast: up a binomial tree to rank 0 and down again. The fewest messages. Cost: 2 ceil(log2 p) (alpha + n beta)
// + ceil(log2 p) n gamma.
#include "coll/allreduce/allreduce.h"
#include "coll/bcast/bcast.h"
#include "coll/reduce/reduce.h"

namespace starling::coll {

Task allreduce_reduce_bcast(Ctx c, ReduceArgs a) {
  ReduceArgs up = a;
  up.root = 0;
  if (c.rank != 0) up.send = a.source();
  co_await reduce_binomial(c, up);
  const BcastArgs down{data(a.recv, a.count, *a.type), 0};
  co_await bcast_binomial(c, down);
}

Traffic allreduce_reduce_bcast_traffic(const Load& load) { return {2 * (load.ranks - 1), 2 * (load.ranks - 1) * load.bytes}; }

}  // namespace starling::coll
