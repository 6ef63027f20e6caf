// SPDX-License-Identifier: BSD-3-Clause
// Multi-endpoint, hybrid: each endpoint of the root's node sends to one other node (flat), which is the top of a k-nomial tree
// over its share of the rest. So all endpoints send at once whatever the number of nodes, and the trees are small. Cost for N
// nodes of m processes: (1 + ceil(log_k (N / m))) (alpha + n beta) between nodes, and ceil(log2 m) (alpha + n beta) inside them
// on each level.
#include <algorithm>

#include "coll/bcast/multi_endpoint.h"
#include "coll/tree.h"

namespace starling::coll {

namespace {

void hybrid(NodeTree& tree, int number, Layout layout) {
  const int others = layout.nodes - 1;
  const Partition shares{others, std::max(1, std::min(layout.endpoints, others))};
  auto first = [&](int share) { return static_cast<int>(shares.first(share)) + 1; };
  if (number == 0) {
    for (int share = 0; share < shares.parts && others > 0; ++share) tree.add(first(share));
    return;
  }
  int share = 0;
  while (first(share + 1) <= number) ++share;
  const Tree nodes(number - first(share), static_cast<int>(shares.length(share)), 0, tree_degree());
  tree.parent = nodes.top() ? 0 : first(share) + nodes.parent();
  for (int i = nodes.children() - 1; i >= 0; --i) tree.add(first(share) + nodes.child(i));
}

}  // namespace

Task bcast_multi_endpoint_hybrid(Ctx c, BcastArgs a) { return bcast_over_nodes(c, a, hybrid); }

}  // namespace starling::coll
