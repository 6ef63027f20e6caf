// SPDX-License-Identifier: BSD-3-Clause
// The multi-endpoint broadcasts: in every node that sends to others all processes are endpoints, which share the other nodes
// among them and send at the same time. First the root's node has the message; a node that has it tells its children; within a
// node a binomial tree spreads it. The three designs differ in the tree of nodes only.
#pragma once

#include "coll/bcast/bcast.h"
#include "coll/nodes.h"

namespace starling::coll {

// Nodes are numbered from that of the root. Children of node `number` in the order in which they shall be told.
class NodeTree {
 public:
  NodeTree(const Ctx& c, const NodeMap& map) : children_(c, map.nodes()) {}
  void add(int child) { children_[count_++] = child; }
  int count() const { return count_; }
  int child(int i) const { return children_[i]; }
  int parent = 0;

 private:
  ScratchArray<int> children_;
  int count_ = 0;
};

struct Layout {
  int nodes;
  int endpoints;  // in the node of the root
};
using Shape = void (*)(NodeTree& tree, int number, Layout layout);

Task bcast_over_nodes(Ctx c, BcastArgs a, Shape shape);

}  // namespace starling::coll
