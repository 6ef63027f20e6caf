// SPDX-License-Identifier: BSD-3-Clause
// Two levels: every node meets at its leader, the leaders meet by dissemination, and tell their nodes. Cost for N nodes of m
// processes: 2 ceil(log2 m) alpha inside nodes, ceil(log2 N) alpha between them.
#include "coll/barrier/barrier.h"
#include "coll/bcast/bcast.h"
#include "coll/nodes.h"
#include "coll/tree.h"

namespace starling::coll {

Task barrier_two_level(Ctx c, BarrierArgs a) {
  const NodeMap& map = nodes_of(c);
  const Ctx node = on_node(c, map);
  const Tree tree(node, 0, 2);
  for (int i = 0; i < tree.children(); ++i) co_await node.recv({}, tree.child(i));
  if (tree.top()) {
    co_await barrier_dissemination(c.among(map.column(0), map.nodes(), map.node_of(c.rank)), a);
  } else {
    co_await node.send({}, tree.parent());
  }
  const BcastArgs news{raw(nullptr, 0), 0};
  co_await bcast_binomial(node, news);
}

Traffic barrier_two_level_traffic(const Load& load) {
  const int nodes = load.nodes->nodes();
  return {2 * (load.ranks - nodes) + barrier_dissemination_traffic({nodes, 0}).messages, 0};
}

}  // namespace starling::coll
