// SPDX-License-Identifier: BSD-3-Clause
// Multi-endpoint, k-nomial: the nodes form a k-nomial tree, and the endpoints of each node share its children. For many nodes.
// Cost for N nodes of m processes: ceil(log_k N) (alpha + n beta) ceil((k - 1) / m) between nodes, and ceil(log2 m)
// (alpha + n beta) inside them on each level.
#include "coll/bcast/multi_endpoint.h"
#include "coll/tree.h"

namespace starling::coll {

namespace {

void knomial(NodeTree& tree, int number, Layout layout) {
  const Tree nodes(number, layout.nodes, 0, tree_degree());
  tree.parent = nodes.top() ? 0 : nodes.parent();
  for (int i = nodes.children() - 1; i >= 0; --i) tree.add(nodes.child(i));
}

}  // namespace

Task bcast_multi_endpoint_knomial(Ctx c, BcastArgs a) { return bcast_over_nodes(c, a, knomial); }

}  // namespace starling::coll
