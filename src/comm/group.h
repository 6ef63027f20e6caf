// SPDX-License-Identifier: BSD-3-Clause
// Looking up and comparing the members of groups (MPI 5.0 section 7.3).
#pragma once

#include <utility>
#include <vector>

#include "object/group.h"

namespace starling::comm {

using object::make_group;

// Peer to rank in O(log n), for many look-ups in one group.
class PeerIndex {
 public:
  explicit PeerIndex(const Group& group);
  int rank_of(Peer peer) const;  // kUndefined if not a member

 private:
  const Group& group_;
  std::vector<std::pair<Peer, int>> sorted_;  // empty for a consecutive group
};

bool same_members(const Group& a, const Group& b);  // in any order
bool same_order(const Group& a, const Group& b);
bool is_subset(const Group& part, const Group& whole);

}  // namespace starling::comm
