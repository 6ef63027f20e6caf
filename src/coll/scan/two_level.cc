// SPDX-License-Identifier: BSD-3-Clause
// Two levels: each node scans, the last ranks of the nodes scan the sums of nodes, and each node combines what came before it
// with its results. For nodes whose ranks follow each other. Cost for N nodes of m processes: (2 ceil(log2 m) inside nodes +
// ceil(log2 N) between them) (alpha + n beta + 2 n gamma).
#include "coll/bcast/bcast.h"
#include "coll/nodes.h"
#include "coll/scan/scan.h"

namespace starling::coll {

namespace {

// `total`, on the last rank of each node, is what the node sums up to; on return `below` is the sum of all nodes before this
// one, everywhere but in the first.
Task carry_over(Ctx c, ReduceArgs a, Data total, Data below) {
  const NodeMap& map = nodes_of(c);
  const Ctx node = on_node(c, map);
  const int here = map.node_of(c.rank), last = node.size - 1;
  if (node.rank == last) {
    ScratchArray<int> ranks(c, map.nodes());
    for (int n = 0; n < map.nodes(); ++n) ranks[n] = map.members(n)[map.size_of(n) - 1];
    const ReduceArgs sums{total.address, below.address, a.count, a.type, a.op, 0};
    co_await exscan_recursive_doubling(c.among(ranks.begin(), map.nodes(), here), sums);
  }
  const BcastArgs spread{below, last};
  if (here > 0) co_await bcast_binomial(node, spread);
}

}  // namespace

Task scan_two_level(Ctx c, ReduceArgs a) {
  const NodeMap& map = nodes_of(c);
  const Data result = data(a.recv, a.count, *a.type);
  co_await scan_recursive_doubling(on_node(c, map), a);
  Scratch memory(c);
  const Data below = memory.take(a.count, *a.type);
  co_await carry_over(c, a, result, below);
  if (map.node_of(c.rank) > 0) c.reduce(*a.op, below, result);
}

Task exscan_two_level(Ctx c, ReduceArgs a) {
  const NodeMap& map = nodes_of(c);
  const Data result = data(a.recv, a.count, *a.type);
  Scratch memory(c), more(c);
  const Data total = memory.take(a.count, *a.type), below = more.take(a.count, *a.type);
  c.copy(data(a.source(), a.count, *a.type), total);
  co_await exscan_recursive_doubling(on_node(c, map), a);
  const bool lowest = map.index_of(c.rank) == 0;
  if (!lowest) c.reduce(*a.op, result, total);
  co_await carry_over(c, a, total, below);
  if (map.node_of(c.rank) == 0) co_return;
  if (lowest) {
    c.copy(below, result);
  } else {
    c.reduce(*a.op, below, result);
  }
}

Traffic scan_two_level_traffic(const Load& load) {
  Count messages = scan_recursive_doubling_traffic({load.nodes->nodes(), 0}).messages;
  for (int node = 0; node < load.nodes->nodes(); ++node) {
    const int size = load.nodes->size_of(node);
    messages += scan_recursive_doubling_traffic({size, 0}).messages + (node > 0 ? size - 1 : 0);
  }
  return {messages, messages * load.bytes};
}

}  // namespace starling::coll
