// SPDX-License-Identifier: BSD-3-Clause
// Intercommunicators (MPI 5.0 section 7.6). The leaders of the two sides talk to each other; each tells its side what it
// learned. Where both sides propose something (a context), the smaller proposal is taken, so that no third message is needed.
#include <algorithm>
#include <vector>

#include "base/error.h"
#include "comm/agree.h"
#include "comm/create.h"
#include "comm/entry.gen.h"
#include "progress/worker.h"

namespace starling::comm {

namespace {

// What the leaders tell each other, and then their sides.
struct Introduction {
  InterContexts proposal;
  std::int32_t size;
  std::int32_t error;  // class, if the leader cannot take part
};

std::vector<Peer> peers_of(const Group& group) {
  std::vector<Peer> peers(static_cast<std::size_t>(group.size));
  for (int r = 0; r < group.size; ++r) peers[static_cast<std::size_t>(r)] = group.peer(r);
  return peers;
}

Introduction introduce(const Comm& local) {
  return {{next_context(*local.worker), next_context(*local.worker)}, local.size, kSuccess};
}

// The leader's part: learns the other side from the leader there, over a provisional communicator of the two. `seed` is known
// to both.
Introduction meet(const Comm& local, Peer other, std::initializer_list<std::uint64_t> seed, std::vector<Peer>& peers) {
  Worker& worker = *local.worker;
  Peer self = worker.self();
  if (other == self) fail(kErrRank, "local and remote leader are the same process");
  auto pair = Ref<Group>::adopt(make_group({std::min(self, other), std::max(self, other)}, self));
  Context context = provisional_context({provisional_context(seed), hash_of(*pair)});
  auto bridge = Ref<Comm>::adopt(make_comm(context, worker, std::move(pair), {}, nullptr));
  const int rank = 1 - bridge->rank;

  Introduction mine = introduce(local), theirs{};
  exchange(*bridge, 0, &mine, sizeof mine, &theirs, sizeof theirs, rank);
  std::vector<Peer> my_peers = peers_of(*local.group);
  peers.resize(static_cast<std::size_t>(theirs.size));
  exchange(*bridge, 0, my_peers.data(), my_peers.size() * sizeof(Peer), peers.data(), peers.size() * sizeof(Peer), rank);
  theirs.proposal = {std::min(mine.proposal.inter, theirs.proposal.inter), mine.proposal.local};
  return theirs;
}

void check_disjoint(const Group& a, const Group& b) {
  PeerIndex index(a);
  for (int r = 0; r < b.size; ++r)
    if (index.rank_of(b.peer(r)) != kUndefined) fail(kErrComm, "rank %d of the remote group is in the local group, too", r);
}

// Everybody's part: the local leader passes on what it learned from the other, or that it could not.
Comm* join_sides(Comm& local, int leader, Introduction theirs, std::vector<Peer>& peers) {
  int tag = creation_tag(local);
  broadcast(local, tag, &theirs, sizeof theirs, leader);
  if (theirs.error != kSuccess)
    fail(theirs.error, "the leader of the local group (rank %d) could not reach the remote leader", leader);
  peers.resize(static_cast<std::size_t>(theirs.size));
  broadcast(local, tag, peers.data(), peers.size() * sizeof(Peer), leader);
  auto remote = Ref<Group>::adopt(make_group(std::move(peers), local.worker->self()));
  check_disjoint(*local.group, *remote);
  return make_inter(theirs.proposal, *local.worker, local.group, std::move(remote), &local);
}

// Runs the leader's part; an error there is first told to the local group, which would wait for ever otherwise.
template <class Meet>
Comm* create_inter(Comm& local, int leader, Meet&& leaders_part) {
  Introduction theirs{};
  std::vector<Peer> peers;
  if (local.rank != leader) return join_sides(local, leader, theirs, peers);
  try {
    theirs = leaders_part(peers);
  } catch (const Error& error) {
    theirs.error = error.error_class;
    broadcast(local, creation_tag(local), &theirs, sizeof theirs, leader);
    throw;
  }
  return join_sides(local, leader, theirs, peers);
}

void check_leader(int leader, int size, const char* which) {
  if (leader < 0 || leader >= size)
    fail(kErrRank, "the %s leader is rank %d, but the group has %d processes", which, leader, size);
}

}  // namespace

void intercomm_create(Comm& local_comm, int local_leader, Comm* peer_comm, int remote_leader, int tag, Comm*& newintercomm) {
  check_intra(local_comm);
  check_leader(local_leader, local_comm.size, "local");
  newintercomm = create_inter(local_comm, local_leader, [&](std::vector<Peer>& peers) {
    if (!peer_comm) fail(kErrComm, "the peer communicator is not valid at the local leader");
    check_leader(remote_leader, peer_comm->remote_size, "remote");
    return meet(local_comm, peer_comm->peer(remote_leader),
                {hash_of("bridge"), peer_comm->context, static_cast<std::uint64_t>(tag)}, peers);
  });
}

// Without a parent the local group, too, talks over a provisional communicator.
void intercomm_create_from_groups(Group& local_group, int local_leader, Group* remote_group, int remote_leader,
                                  std::string_view stringtag, Info* info, Errhandler& errhandler, Comm*& newintercomm) {
  object::check_errhandler(errhandler, Kind::kComm);
  newintercomm = nullptr;
  if (local_group.size == 0) return;
  if (local_group.rank == kUndefined) fail(kErrGroup, "this process is not in the local group");
  check_leader(local_leader, local_group.size, "local");
  Worker& worker = process_worker();
  std::uint64_t text = hash_of(stringtag);
  Context provisional = provisional_context({hash_of("local group"), text, hash_of(local_group)});
  auto local = Ref<Comm>::adopt(make_comm(provisional, worker, Ref<Group>(&local_group), {}, nullptr));
  newintercomm = create_inter(*local, local_leader, [&](std::vector<Peer>& peers) {
    if (!remote_group) fail(kErrGroup, "the remote group is not valid at the local leader");
    check_leader(remote_leader, remote_group->size, "remote");
    return meet(*local, remote_group->peer(remote_leader), {hash_of("from groups"), text}, peers);
  });
  newintercomm->errhandler = Ref<Errhandler>(&errhandler);
  newintercomm->local_comm->errhandler = newintercomm->errhandler;
  newintercomm->info = known_hints(info);
}

// The group that says high = false comes first; if both say the same, the one whose leader proposed the smaller context.
void intercomm_merge(Comm& intercomm, bool high, Comm*& newintracomm) {
  check_inter(intercomm);
  struct Proposal {
    Context context;
    std::int32_t high;
    std::int32_t local_first;
  };
  int tag = creation_tag(intercomm);
  Proposal mine{next_context(*intercomm.worker), high, 0}, theirs{};
  const int leader = leader_of(intercomm, tag, intercomm.size);
  if (intercomm.rank == leader) {
    exchange(intercomm, tag, &mine, sizeof mine, &theirs, sizeof theirs, leader_of(intercomm, tag, intercomm.remote_size));
    theirs.local_first = mine.high != theirs.high ? !mine.high : mine.context < theirs.context;
    theirs.context = std::min(mine.context, theirs.context);
  }
  Comm& local = *intercomm.local_comm;
  broadcast(local, creation_tag(local), &theirs, sizeof theirs, leader);
  std::vector<Peer> peers = peers_of(theirs.local_first ? *intercomm.group : *intercomm.remote_group);
  std::vector<Peer> second = peers_of(theirs.local_first ? *intercomm.remote_group : *intercomm.group);
  peers.insert(peers.end(), second.begin(), second.end());
  Worker& worker = *intercomm.worker;
  auto all = Ref<Group>::adopt(make_group(std::move(peers), worker.self()));
  newintracomm = make_comm(theirs.context, worker, std::move(all), {}, &intercomm);
}

}  // namespace starling::comm
