// SPDX-License-Identifier: BSD-3-Clause
#include "comm/comm.h"

#include <utility>

#include "base/error.h"
#include "progress/worker.h"

namespace starling::comm {

std::vector<ProcessAddress> addresses_of(const Worker& worker, const Group& group) {
  std::vector<ProcessAddress> addresses;
  addresses.reserve(static_cast<std::size_t>(group.size));
  for (int r = 0; r < group.size; ++r) addresses.push_back(worker.address(group.peer(r)));
  return addresses;
}

Ref<Group> admit_group(Worker& worker, const std::vector<ProcessAddress>& members) {
  std::vector<Peer> peers;
  peers.reserve(members.size());
  for (const ProcessAddress& member : members) peers.push_back(worker.admit(member));
  return Ref<Group>::adopt(make_group(std::move(peers), worker.self()));
}

}  // namespace starling::comm
