// SPDX-License-Identifier: BSD-3-Clause
// Two levels: every node reduces to its leader, the leaders reduce to the root, which leads its node. Only one message leaves a
// node. Cost for N nodes of m processes: (ceil(log2 m) inside nodes + ceil(log2 N) between them) (alpha + n beta + n gamma).
#include "coll/nodes.h"
#include "coll/reduce/reduce.h"

namespace starling::coll {

Task reduce_two_level(Ctx c, ReduceArgs a) {
  const NodeMap& map = nodes_of(c);
  Leaders leaders(c, map, a.root);
  const bool leader = leaders.leads(c.rank), root = c.rank == a.root;
  Scratch memory(c);
  Data result;
  if (leader) result = root ? data(a.recv, a.count, *a.type) : memory.take(a.count, *a.type);
  ReduceArgs inside{a.send, result.address, a.count, a.type, a.op, leaders.index_in(map.node_of(c.rank))};
  co_await reduce_binomial(on_node(c, map), inside);
  if (!leader) co_return;
  ReduceArgs between{root ? kInPlace : result.address, result.address, a.count, a.type, a.op, map.node_of(a.root)};
  co_await reduce_binomial(leaders.among(c), between);
}

Traffic reduce_two_level_traffic(const Load& load) { return {load.ranks - 1, (load.ranks - 1) * load.bytes}; }

}  // namespace starling::coll
