// SPDX-License-Identifier: BSD-3-Clause
// Two levels with several leaders: in each node the vector is cut into a part for each leader and reduced to them; those that
// lead the same part in all nodes combine it by recursive doubling, all parts at the same time; each leader spreads its part in
// its node. Cost for N nodes of m processes and l leaders: 2 l ceil(log2 m) (alpha + n / l beta) inside nodes, ceil(log2 N)
// (alpha + n / l beta) between them. Bayatpour, Chakraborty, Subramoni, Lu, Panda, "Scalable reduction collectives with data
// partitioning-based multi-leader design", SC 2017.
#include <algorithm>

#include "coll/allreduce/allreduce.h"
#include "coll/bcast/bcast.h"
#include "coll/nodes.h"
#include "coll/reduce/reduce.h"

namespace starling::coll {

namespace {

constexpr int kMostLeaders = 4;
int leaders_of(const NodeMap& map) { return std::min(map.smallest, kMostLeaders); }

}  // namespace

Task allreduce_multi_leader(Ctx c, ReduceArgs a) {
  const NodeMap& map = nodes_of(c);
  const Ctx node = on_node(c, map);
  const Partition cut{a.count, leaders_of(map)};
  const Data source = data(a.source(), a.count, *a.type), result = data(a.recv, a.count, *a.type);
  for (int leader = 0; leader < cut.parts; ++leader) {
    const Count first = cut.first(leader), length = cut.length(leader);
    const void* send = a.in_place() && node.rank == leader ? kInPlace : source.part(first, length).address;
    ReduceArgs up{send, result.part(first, length).address, length, a.type, a.op, leader};
    if (length > 0) co_await reduce_binomial(node, up);
  }
  if (node.rank < cut.parts && cut.length(node.rank) > 0) {
    const Data part = result.part(cut.first(node.rank), cut.length(node.rank));
    const ReduceArgs across{kInPlace, part.address, part.count, a.type, a.op, 0};
    co_await allreduce_recursive_doubling(c.among(map.column(node.rank), map.nodes(), map.node_of(c.rank)), across);
  }
  for (int leader = 0; leader < cut.parts; ++leader) {
    const BcastArgs down{result.part(cut.first(leader), cut.length(leader)), leader};
    if (cut.length(leader) > 0) co_await bcast_binomial(node, down);
  }
}

Traffic allreduce_multi_leader_traffic(const Load& load) {
  const Count leaders = leaders_of(*load.nodes), part = load.bytes / leaders, inside = load.ranks - load.nodes->nodes();
  const Traffic across = allreduce_recursive_doubling_traffic({load.nodes->nodes(), part});
  return {leaders * (2 * inside + across.messages), leaders * (2 * inside * part + across.bytes)};
}

}  // namespace starling::coll
