// SPDX-License-Identifier: BSD-3-Clause
#include "coll/bcast/multi_endpoint.h"

#include "coll/tree.h"

namespace starling::coll {

Task bcast_over_nodes(Ctx c, BcastArgs a, Shape shape) {
  if (a.data.bytes() == 0) co_return;
  const NodeMap& map = nodes_of(c);
  Leaders leaders(c, map, a.root);
  const int nodes = map.nodes(), here = map.node_of(c.rank), root_node = map.node_of(a.root);
  NodeTree tree(c, map);
  shape(tree, (here - root_node + nodes) % nodes, {nodes, map.size_of(root_node)});
  const int parent = (tree.parent + root_node) % nodes;
  // The children of a node are told by its endpoints in turn: whose turn it is for this node follows from its place there.
  if (c.rank == leaders.of_node(here) && here != root_node) {
    NodeTree siblings(c, map);
    shape(siblings, tree.parent, {nodes, map.size_of(root_node)});
    int place = 0;
    while ((siblings.child(place) + root_node) % nodes != here) ++place;
    co_await c.recv(a.data, map.members(parent)[place % map.size_of(parent)]);
  }
  const BcastArgs inside{a.data, leaders.index_in(here)};
  co_await bcast_binomial(on_node(c, map), inside);
  const int endpoints = map.size_of(here);
  Messages batch(c, tree.count() / endpoints + 1);
  for (int i = map.index_of(c.rank); i < tree.count(); i += endpoints)
    batch.send(a.data, leaders.of_node((tree.child(i) + root_node) % nodes));
  co_await batch.all();
}

Traffic bcast_multi_endpoint_traffic(const Load& load) { return {load.ranks - 1, (load.ranks - 1) * load.bytes}; }

}  // namespace starling::coll
