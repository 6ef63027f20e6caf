// SPDX-License-Identifier: BSD-3-Clause
// Linear: a message for every edge, all at a time. Cost: d (alpha + n beta) for d neighbours.
//
// Several edges between the same two processes are told apart by the order of messages: the k-th edge to a process meets the
// k-th edge from it. In a Cartesian topology, however, what goes in the negative direction arrives from the positive one, which
// matters when both neighbours are the same process (periodic dimensions of one or two processes): there the receives of each
// dimension are posted in the opposite order.
#include "coll/neighbor/neighbor.h"
#include "comm/topology.h"

namespace starling::coll {

namespace {

// The source whose receive is posted as the i-th.
int source_at(const Topology& topology, int i) { return topology.kind == kCart ? i ^ 1 : i; }

}  // namespace

Task neighbor_allgather_linear(Ctx c, AllgatherArgs a) {
  const Topology& topology = *c.comm->topology;
  const int sources = static_cast<int>(topology.sources.size()), destinations = static_cast<int>(topology.destinations.size());
  Messages all(c, sources + destinations);
  for (int i = 0; i < sources; ++i) {
    const int s = source_at(topology, i);
    all.recv(a.recv[s], topology.sources[static_cast<std::size_t>(s)]);
  }
  for (int to : topology.destinations) all.send(a.send, to);
  co_await all.all();
}

Task neighbor_alltoall_linear(Ctx c, AlltoallArgs a) {
  const Topology& topology = *c.comm->topology;
  const int sources = static_cast<int>(topology.sources.size()), destinations = static_cast<int>(topology.destinations.size());
  Messages all(c, sources + destinations);
  for (int i = 0; i < sources; ++i) {
    const int s = source_at(topology, i);
    all.recv(a.recv[s], topology.sources[static_cast<std::size_t>(s)]);
  }
  for (int d = 0; d < destinations; ++d) all.send(a.send[d], topology.destinations[static_cast<std::size_t>(d)]);
  co_await all.all();
}

}  // namespace starling::coll
