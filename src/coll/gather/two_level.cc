// SPDX-License-Identifier: BSD-3-Clause
// Two levels: the leader of each node collects the blocks of its node and sends them to the root, which leads its own, as one
// message. For blocks of equal size. Cost for N nodes of m processes: ceil(log2 m) alpha + n m beta inside nodes,
// (N - 1) alpha + n (p - m) beta between them, for blocks of n bytes.
#include "coll/gather/gather.h"
#include "coll/nodes.h"
#include "coll/tree.h"

namespace starling::coll {

Task gather_two_level(Ctx c, GatherArgs a) {
  const NodeMap& map = nodes_of(c);
  Leaders leaders(c, map, a.root);
  const bool root = c.rank == a.root, leader = leaders.leads(c.rank);
  const Data mine = root && a.send.in_place() ? a.recv[c.rank] : a.send;
  const Count block = mine.bytes();
  // The root keeps the blocks of all nodes, those of a node in a row.
  Scratch memory(c);
  if (leader) memory.take(block * (root ? c.size : map.size_of(map.node_of(c.rank))));
  auto node_blocks = [&](int node) {
    return memory.raw(root ? map.first[static_cast<std::size_t>(node)] * block : 0, map.size_of(node) * block);
  };
  const int here = map.node_of(c.rank);
  GatherArgs inside{mine, blocks(leader ? node_blocks(here).address : nullptr, block, byte_type()), leaders.index_in(here),
                    true};
  co_await gather_binomial(on_node(c, map), inside);
  if (!leader) co_return;
  Messages batch(c, root ? map.nodes() : 1);
  if (!root) batch.send(node_blocks(here), a.root);
  for (int node = 0; root && node < map.nodes(); ++node)
    if (node != here) batch.recv(node_blocks(node), leaders.of_node(node));
  co_await batch.all();
  for (int i = 0; root && i < c.size; ++i) {
    const int rank = map.ranks[static_cast<std::size_t>(i)];
    if (rank != c.rank || !a.send.in_place()) c.copy(memory.raw(i * block, block), a.recv[rank]);
  }
}

Traffic gather_two_level_traffic(const Load& load) {
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
