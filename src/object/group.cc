// SPDX-License-Identifier: BSD-3-Clause
#include "object/group.h"

#include <algorithm>

#include "base/constants.gen.h"

namespace starling {

namespace {

constinit GroupPool pool;

Group* make_empty() {
  Group* group = pool.create();
  group->code = kCodeGroupEmpty;
  group->rank = kUndefined;
  return group;
}

bool consecutive(const std::vector<Peer>& peers) {
  for (std::size_t i = 1; i < peers.size(); ++i)
    if (peers[i] != peers[0] + i) return false;
  return true;
}

}  // namespace

GroupPool& group_pool() { return pool; }

void destroy(Group& group) { pool.destroy(&group); }

Group* group_empty() {
  static Group* const empty = make_empty();
  return empty;
}

int Group::rank_of(Peer peer) const {
  if (peers.empty())
    return peer - first < static_cast<Peer>(size) ? static_cast<int>(peer - first) : kUndefined;  // modulo 2^32
  auto found = std::find(peers.begin(), peers.end(), peer);
  return found == peers.end() ? kUndefined : static_cast<int>(found - peers.begin());
}

namespace object {

Group* make_consecutive_group(Peer first, int size, Peer self) {
  if (size == 0) return group_empty();
  Group* group = pool.create();
  group->size = size;
  group->first = first;
  group->highest = first + static_cast<Peer>(size) - 1;
  group->rank = group->rank_of(self);
  return group;
}

Group* make_group(std::vector<Peer> peers, Peer self) {
  if (peers.empty() || consecutive(peers))
    return make_consecutive_group(peers.empty() ? 0 : peers[0], static_cast<int>(peers.size()), self);
  Group* group = pool.create();
  group->size = static_cast<int>(peers.size());
  group->first = peers[0];
  group->highest = *std::max_element(peers.begin(), peers.end());
  peers.shrink_to_fit();
  group->peers = std::move(peers);
  group->rank = group->rank_of(self);
  return group;
}

}  // namespace object
}  // namespace starling
