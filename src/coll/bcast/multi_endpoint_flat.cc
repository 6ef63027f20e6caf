// SPDX-License-Identifier: BSD-3-Clause
// Multi-endpoint, flat: the endpoints of the root's node send to all other nodes. For few nodes. Cost for N nodes of m
// processes: 2 ceil(log2 m) (alpha + n beta) inside nodes and ceil((N - 1) / m) (alpha + n beta) between them.
#include "coll/bcast/multi_endpoint.h"

namespace starling::coll {

namespace {

void flat(NodeTree& tree, int number, Layout layout) {
  for (int child = 1; number == 0 && child < layout.nodes; ++child) tree.add(child);
}

}  // namespace

Task bcast_multi_endpoint_flat(Ctx c, BcastArgs a) { return bcast_over_nodes(c, a, flat); }

}  // namespace starling::coll
