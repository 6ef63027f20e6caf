// SPDX-License-Identifier: BSD-3-Clause
#include "comm/group.h"

#include <algorithm>

#include "base/constants.gen.h"

namespace starling::comm {

PeerIndex::PeerIndex(const Group& group) : group_(group) {
  if (group.peers.empty()) return;
  sorted_.reserve(group.peers.size());
  for (int r = 0; r < group.size; ++r) sorted_.emplace_back(group.peer(r), r);
  std::sort(sorted_.begin(), sorted_.end());
}

int PeerIndex::rank_of(Peer peer) const {
  if (sorted_.empty()) return group_.rank_of(peer);
  auto found = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair<Peer, int>(peer, 0));
  return found != sorted_.end() && found->first == peer ? found->second : kUndefined;
}

bool same_order(const Group& a, const Group& b) {
  // Where both are consecutive the tables are empty; a group has one form only.
  return a.size == b.size && (a.size == 0 || (a.peer(0) == b.peer(0) && a.peers == b.peers));
}

bool is_subset(const Group& part, const Group& whole) {
  if (part.size > whole.size) return false;
  PeerIndex index(whole);
  for (int r = 0; r < part.size; ++r)
    if (index.rank_of(part.peer(r)) == kUndefined) return false;
  return true;
}

bool same_members(const Group& a, const Group& b) { return a.size == b.size && is_subset(a, b); }

}  // namespace starling::comm
