// SPDX-License-Identifier: BSD-3-Clause
#include "coll/sim_world.h"

#include "coll/nodes.h"
#include "coll/plan.h"
#include "p2p/p2p.h"

namespace starling::coll {

SimWorld::SimWorld(int ranks, const transport::SimOptions& options) : network_(ranks, options) {
  std::vector<int> node_of = options.node_of;
  node_of.resize(static_cast<std::size_t>(ranks));
  const auto nodes = std::make_shared<const std::vector<int>>(node_of);
  const auto map = std::make_shared<const NodeMap>(node_of);  // one for all
  for (int rank = 0; rank < ranks; ++rank) {
    const auto self = static_cast<Peer>(rank);
    auto worker = std::make_unique<Worker>(self, ranks);
    worker->nodes = nodes;
    p2p::attach(*worker);
    worker->add_transport(network_.make_transport(*worker));
    auto group = Ref<Group>::adopt(object::make_consecutive_group(0, ranks, self));
    auto world = Ref<Comm>::adopt(object::make_comm(kWorldContext, *worker, std::move(group), {}, nullptr));
    state_of(*world).nodes = map;
    ranks_.push_back(Rank{std::move(worker), std::move(world)});
  }
}

bool SimWorld::settle(int rank) {
  bool any = false;
  while (worker(rank).progress() > 0) any = true;
  return any;
}

bool SimWorld::run(std::span<Request* const> requests) {
  for (;;) {
    for (Peer receiver; network_.step(receiver);) settle(static_cast<int>(receiver));
    // Nothing is on its way. What found no room, and long copies, still wait for their ranks.
    const std::uint64_t refused = network_.refused();
    bool any = false;
    for (int rank = 0; rank < size(); ++rank) any |= settle(rank);
    if (!any && network_.refused() == refused) return stuck(requests).empty();
  }
}

std::vector<int> SimWorld::stuck(std::span<Request* const> requests) {
  std::vector<int> ranks;
  for (const Request* request : requests)
    if (!request->complete) ranks.push_back(request->comm ? request->comm->rank : kUndefined);
  return ranks;
}

}  // namespace starling::coll
