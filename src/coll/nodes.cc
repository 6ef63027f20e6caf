// SPDX-License-Identifier: BSD-3-Clause
#include "coll/nodes.h"

#include <algorithm>
#include <unordered_map>

#include "coll/plan.h"
#include "coll/tree.h"

namespace starling::coll {

NodeMap::NodeMap(const std::vector<int>& node_of_rank) : node(node_of_rank.size()), index(node.size()), ranks(node.size()) {
  std::unordered_map<int, int> number;
  std::vector<int> size;
  for (std::size_t rank = 0; rank < node.size(); ++rank) {
    const int n = node[rank] = number.try_emplace(node_of_rank[rank], static_cast<int>(size.size())).first->second;
    if (n == static_cast<int>(size.size())) size.push_back(0);
    index[rank] = size[static_cast<std::size_t>(n)]++;
    if (rank > 0 && n < node[rank - 1]) consecutive = false;
  }
  first.push_back(0);
  for (int n : size) first.push_back(first.back() + n);
  smallest = size.empty() ? 0 : *std::min_element(size.begin(), size.end());
  columns.resize(static_cast<std::size_t>(smallest) * size.size());
  for (std::size_t rank = 0; rank < node.size(); ++rank) {
    const auto n = static_cast<std::size_t>(node[rank]), i = static_cast<std::size_t>(index[rank]);
    ranks[static_cast<std::size_t>(first[n]) + i] = static_cast<int>(rank);
    if (index[rank] < smallest) columns[i * size.size() + n] = static_cast<int>(rank);
  }
}

const NodeMap& nodes_of(Comm& comm) {
  auto& map = state_of(comm).nodes;
  if (!map) {
    std::vector<int> node_of_rank(static_cast<std::size_t>(comm.size));
    for (int rank = 0; rank < comm.size; ++rank)
      node_of_rank[static_cast<std::size_t>(rank)] = comm.worker->node_of(comm.group->peer(rank));
    map = std::make_shared<const NodeMap>(node_of_rank);
  }
  return *map;
}

// Without looking at all ranks where there is only one node.
int node_count(const Comm& comm) {
  if (!comm.worker->nodes && !(comm.coll && comm.coll->nodes)) return 1;
  return nodes_of(const_cast<Comm&>(comm)).nodes();
}

Count blocks_below(int ranks, int degree) {
  Count blocks = 0;
  for (int rank = 1; rank < ranks; ++rank) blocks += Tree(rank, ranks, 0, degree).end() - rank;
  return blocks;
}

}  // namespace starling::coll
