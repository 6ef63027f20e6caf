// SPDX-License-Identifier: BSD-3-Clause
// Two levels: the root, which leads its own node, sends the leader of each other node all blocks of that node as one message,
// and the leaders spread them. For blocks of equal size. Cost for N nodes of m processes: (N - 1) alpha + n (p - m) beta
// between nodes, ceil(log2 m) alpha + n m beta inside them, for blocks of n bytes.
#include "coll/nodes.h"
#include "coll/scatter/scatter.h"
#include "coll/tree.h"

namespace starling::coll {

Task scatter_two_level(Ctx c, ScatterArgs a) {
  const NodeMap& map = nodes_of(c);
  Leaders leaders(c, map, a.root);
  const bool root = c.rank == a.root, leader = leaders.leads(c.rank);
  const Count block = root ? a.send.bytes(0) : a.recv.bytes();
  // The root has the blocks of all nodes, those of a node in a row.
  Scratch memory(c);
  if (leader) memory.take(block * (root ? c.size : map.size_of(map.node_of(c.rank))));
  auto node_blocks = [&](int node) {
    return memory.raw(root ? map.first[static_cast<std::size_t>(node)] * block : 0, map.size_of(node) * block);
  };
  for (int i = 0; root && i < c.size; ++i) c.copy(a.send[map.ranks[static_cast<std::size_t>(i)]], memory.raw(i * block, block));
  const int here = map.node_of(c.rank);
  Messages batch(c, root ? map.nodes() : 1);
  if (leader && !root) batch.recv(node_blocks(here), a.root);
  for (int node = 0; root && node < map.nodes(); ++node)
    if (node != here) batch.send(node_blocks(node), leaders.of_node(node));
  co_await batch.all();
  ScatterArgs inside{blocks(leader ? node_blocks(here).address : nullptr, block, byte_type()), a.recv, leaders.index_in(here),
                     true};
  co_await scatter_binomial(on_node(c, map), inside);
}

Traffic scatter_two_level_traffic(const Load& load) {
  Traffic traffic;
  const int root_node = load.nodes->node_of(load.root);
  for (int node = 0; node < load.nodes->nodes(); ++node) {
    const int size = load.nodes->size_of(node);
    traffic.messages += size - 1 + (node == root_node ? 0 : 1);
    traffic.bytes += (blocks_below(size, 2) + (node == root_node ? 0 : size)) * load.bytes;
  }
  return traffic;
}

}  // namespace starling::coll
