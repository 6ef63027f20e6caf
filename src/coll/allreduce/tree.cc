// SPDX-License-Identifier: BSD-3-Clause
// Tree: up a k-nomial tree to rank 0, and down a binary tree in pieces, so that long results flow. Cost for s pieces:
// ceil(log_k p) (alpha + (k - 1) (n beta + n gamma)) up, (s + log2 p - 1) (alpha + 2 n / s beta) down.
#include "coll/allreduce/allreduce.h"
#include "coll/bcast/bcast.h"
#include "coll/reduce/reduce.h"

namespace starling::coll {

Task allreduce_tree(Ctx c, ReduceArgs a) {
  ReduceArgs up = a;
  up.root = 0;
  if (c.rank != 0) up.send = a.source();
  co_await reduce_knomial(c, up);
  const BcastArgs down{data(a.recv, a.count, *a.type), 0};
  co_await bcast_pipelined_tree(c, down);
}

Traffic allreduce_tree_traffic(const Load& load) {
  const Traffic up = reduce_knomial_traffic(load), down = bcast_pipelined_traffic(load);
  return {up.messages + down.messages, up.bytes + down.bytes};
}

}  // namespace starling::coll
