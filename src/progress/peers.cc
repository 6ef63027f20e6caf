// SPDX-License-Identifier: BSD-3-Clause
#include "progress/peers.h"

#include <algorithm>

namespace starling {

Peer Peers::admit(const ProcessAddress& address) {
  if (address.job_id == own_.job_id) return address.rank;
  auto found = std::find_if(guests_.begin(), guests_.end(), [&address](const ProcessAddress& known) {
    return known.job_id == address.job_id && known.rank == address.rank;
  });
  if (found == guests_.end())
    found = std::find_if(guests_.begin(), guests_.end(), [](const auto& known) { return known.job_id == 0; });
  if (found == guests_.end()) found = guests_.insert(found, ProcessAddress{});
  *found = address;
  return residents_ + static_cast<Peer>(found - guests_.begin());
}

ProcessAddress Peers::address(Peer peer) const {
  if (peer >= residents_) return guests_[peer - residents_];
  ProcessAddress mine = own_;
  mine.rank = peer;
  return mine;
}

}  // namespace starling
