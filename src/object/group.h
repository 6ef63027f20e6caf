// SPDX-License-Identifier: BSD-3-Clause
// Group: an ordered set of processes (MPI 5.0 section 7.3). What is done with groups is in comm/group.h.
#pragma once

#include <vector>

#include "base/types.h"
#include "object/object.h"
#include "object/pool.h"

namespace starling {

// Immutable. A group of consecutive peers (MPI_COMM_WORLD and its copies) stores no table: memory stays flat.
struct Group : Object {
  int size = 0;
  int rank = 0;             // of this process, kUndefined if it is not a member
  Peer first = 0;           // peer of rank 0 when `peers` is empty: rank r is peer first + r
  Peer highest = 0;         // of all its peers
  std::vector<Peer> peers;  // rank to peer, unless consecutive

  Peer peer(int r) const { return peers.empty() ? first + static_cast<Peer>(r) : peers[static_cast<std::size_t>(r)]; }
  int rank_of(Peer peer) const;  // kUndefined if not a member; linear in the size unless consecutive: see comm::PeerIndex
};

using GroupPool = Pool<Group, Kind::kGroup>;
GroupPool& group_pool();
void destroy(Group& group);
Group* group_empty();  // MPI_GROUP_EMPTY

namespace object {

// Makes a group of the given peers (collapsed to the consecutive form where possible); rank of `self` is looked up. No peers:
// MPI_GROUP_EMPTY. The caller owns the reference. The peers are distinct.
Group* make_group(std::vector<Peer> peers, Peer self);
// The group of peers first, first + 1, ... first + size - 1, without a table.
Group* make_consecutive_group(Peer first, int size, Peer self);

}  // namespace object
}  // namespace starling
