// SPDX-License-Identifier: BSD-3-Clause
// NodeMap: which ranks of a communicator share a node, for algorithms that treat messages inside a node and between nodes
// differently. Nodes are numbered in the order of their lowest ranks; they may differ in size and their ranks lie in any order.
#pragma once

#include <memory>
#include <vector>

#include "coll/args.h"

namespace starling::coll {

struct NodeMap {
  // node_of_rank[r]: any number that tells nodes apart.
  explicit NodeMap(const std::vector<int>& node_of_rank);

  int nodes() const { return static_cast<int>(first.size()) - 1; }
  int node_of(int rank) const { return node[static_cast<std::size_t>(rank)]; }
  int index_of(int rank) const { return index[static_cast<std::size_t>(rank)]; }  // among the ranks of its node
  int size_of(int n) const { return first[static_cast<std::size_t>(n) + 1] - first[static_cast<std::size_t>(n)]; }
  const int* members(int n) const { return ranks.data() + first[static_cast<std::size_t>(n)]; }  // ascending
  // The i-th ranks of all nodes; i < smallest.
  const int* column(int i) const { return columns.data() + static_cast<std::ptrdiff_t>(i) * nodes(); }

  std::vector<int> node, index;  // by rank
  std::vector<int> ranks;        // ordered by node, then by rank
  std::vector<int> first;        // of each node in `ranks`, and the end
  std::vector<int> columns;
  int smallest = 0;         // size of the smallest node
  bool consecutive = true;  // the ranks of each node follow each other: order is kept when nodes are combined in theirs
};

// Of an intracommunicator; made with the first algorithm that asks. The map lives as long as the communicator.
const NodeMap& nodes_of(Comm& comm);
inline const NodeMap& nodes_of(const Ctx& c) { return nodes_of(*c.comm); }

// The processes of this one's node as a part of the operation.
inline Ctx on_node(const Ctx& c, const NodeMap& map) {
  const int node = map.node_of(c.rank);
  return c.among(map.members(node), map.size_of(node), map.index_of(c.rank));
}

// One process of each node: the lowest, but `root` in its own. To be kept while ranks are used.
class Leaders {
 public:
  Leaders(const Ctx& c, const NodeMap& map, int root) : ranks_(c, map.nodes()), map_(map) {
    for (int n = 0; n < map.nodes(); ++n) ranks_[n] = map.members(n)[0];
    ranks_[map.node_of(root)] = root;
  }
  int of_node(int n) const { return ranks_[n]; }
  int index_in(int n) const { return map_.index_of(ranks_[n]); }
  bool leads(int rank) const { return ranks_[map_.node_of(rank)] == rank; }
  // The leaders as a part of the operation; for one of them.
  Ctx among(const Ctx& c) { return c.among(ranks_.begin(), map_.nodes(), map_.node_of(c.rank)); }

 private:
  ScratchArray<int> ranks_;
  const NodeMap& map_;
};

// Predicates of algorithms.
template <class Args>
bool several_nodes(const Ctx& c, const Args&) {
  return !c.members && nodes_of(c).nodes() > 1;
}

// Operations without commutativity need nodes whose ranks follow each other.
inline bool reducible_by_nodes(const Ctx& c, const ReduceArgs& a) {
  return several_nodes(c, a) && (a.op->commutative || nodes_of(c).consecutive);
}
inline bool ordered_nodes(const Ctx& c, const ReduceArgs& a) { return several_nodes(c, a) && nodes_of(c).consecutive; }

}  // namespace starling::coll
