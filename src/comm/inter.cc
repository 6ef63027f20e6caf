// SPDX-License-Identifier: BSD-3-Clause
// Intercommunicators (MPI 5.0 section 7.6). The leaders of the two sides talk to each other; each tells its side what it
// learned. Where both sides propose something (a context), the smaller proposal is taken, so that no third message is needed.
#include <algorithm>
#include <vector>

#include "base/error.h"
#include "comm/agree.h"
#include "comm/create.h"
#include "comm/entry.gen.h"
#include "comm/meet.h"
#include "progress/worker.h"

namespace starling::comm {

namespace {

std::vector<Peer> peers_of(const Group& group) {
  std::vector<Peer> peers(static_cast<std::size_t>(group.size));
  for (int r = 0; r < group.size; ++r) peers[static_cast<std::size_t>(r)] = group.peer(r);
  return peers;
}

// The leader's part: learns the other side from the leader there, over a provisional communicator of the two. `seed` is known
// to both.
OtherSide meet(const Comm& local, Peer other, std::initializer_list<std::uint64_t> seed) {
  Worker& worker = *local.worker;
  Peer self = worker.self();
  if (other == self) fail(kErrRank, "local and remote leader are the same process");
  const bool first = worker.peers.id(self) < worker.peers.id(other);  // both must come to the same order
  auto pair = Ref<Group>::adopt(make_group({first ? self : other, first ? other : self}, self));
  Context context = provisional_context({provisional_context(seed), hash_of(worker, *pair)});
  auto bridge = Ref<Comm>::adopt(make_comm(context, worker, std::move(pair), {}, nullptr));
  const int rank = 1 - bridge->rank;

  Introduction mine = introduce(local);
  OtherSide theirs;
  exchange(*bridge, 0, &mine, sizeof mine, &theirs.says, sizeof theirs.says, rank);
  const std::vector<ProcessAddress> my_members = addresses_of(worker, *local.group);
  theirs.members.resize(static_cast<std::size_t>(theirs.says.size));
  exchange(*bridge, 0, my_members.data(), my_members.size() * sizeof(ProcessAddress), theirs.members.data(),
           theirs.members.size() * sizeof(ProcessAddress), rank);
  agree(mine, theirs.says);
  return theirs;
}

void check_disjoint(const Group& a, const Group& b) {
  PeerIndex index(a);
  for (int r = 0; r < b.size; ++r)
    if (index.rank_of(b.peer(r)) != kUndefined) fail(kErrComm, "rank %d of the remote group is in the local group, too", r);
}

void check_leader(int leader, int size, const char* which) {
  if (leader < 0 || leader >= size)
    fail(kErrRank, "the %s leader is rank %d, but the group has %d processes", which, leader, size);
}

}  // namespace

Introduction introduce(const Comm& local) { return {{next_context(), next_context()}, local.size, kSuccess}; }

void agree(const Introduction& mine, Introduction& theirs) {
  theirs.proposal = {std::min(mine.proposal.inter, theirs.proposal.inter), mine.proposal.local};
}

Comm* join_sides(Comm& local, int leader, OtherSide theirs) {
  int tag = creation_tag(local);
  broadcast(local, tag, &theirs.says, sizeof theirs.says, leader);
  if (theirs.says.error != kSuccess)
    fail(theirs.says.error, "the leader of the local group (rank %d) could not reach the remote leader", leader);
  theirs.members.resize(static_cast<std::size_t>(theirs.says.size));
  broadcast(local, tag, theirs.members.data(), theirs.members.size() * sizeof(ProcessAddress), leader);
  Ref<Group> remote = admit_group(*local.worker, theirs.members);
  check_disjoint(*local.group, *remote);
  return make_inter(theirs.says.proposal, *local.worker, local.group, std::move(remote), &local);
}

void intercomm_create(Comm& local_comm, int local_leader, Comm* peer_comm, int remote_leader, int tag, Comm*& newintercomm) {
  check_intra(local_comm);
  check_leader(local_leader, local_comm.size, "local");
  newintercomm = create_inter(local_comm, local_leader, [&] {
    if (!peer_comm) fail(kErrComm, "the peer communicator is not valid at the local leader");
    check_leader(remote_leader, peer_comm->remote_size, "remote");
    return meet(local_comm, peer_comm->peer(remote_leader),
                {hash_of("bridge"), peer_comm->context, static_cast<std::uint64_t>(tag)});
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
  Context provisional = provisional_context({hash_of("local group"), text, hash_of(worker, local_group)});
  auto local = Ref<Comm>::adopt(make_comm(provisional, worker, Ref<Group>(&local_group), {}, nullptr));
  newintercomm = create_inter(*local, local_leader, [&] {
    if (!remote_group) fail(kErrGroup, "the remote group is not valid at the local leader");
    check_leader(remote_leader, remote_group->size, "remote");
    return meet(*local, remote_group->peer(remote_leader), {hash_of("from groups"), text});
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
  Proposal mine{next_context(), high, 0}, theirs{};
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
