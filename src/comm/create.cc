// SPDX-License-Identifier: BSD-3-Clause
#include "comm/create.h"

#include <sched.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "comm/agree.h"
#include "comm/entry.gen.h"
#include "progress/worker.h"

namespace starling::comm {

void check_intra(const Comm& comm) {
  if (comm.inter) fail(kErrComm, "the communicator is an intercommunicator, but must be an intracommunicator");
}

void check_inter(const Comm& comm) {
  if (!comm.inter) fail(kErrComm, "the communicator is an intracommunicator, but must be an intercommunicator");
}

namespace {

// How many workers all members have; 0: one has not told yet, because it has not begun.
std::uint32_t workers_of(const Comm& comm) {
  std::uint32_t least = kMostWorkers;
  for (int rank = 0; rank < comm.size && least > 0; ++rank) {
    const Peer peer = comm.group->peer(rank);
    if (peer >= comm.worker->peers.residents()) return 1;
    least = std::min(least, comm.worker->job.slot(peer).workers.load(std::memory_order_acquire));
  }
  return least;
}

}  // namespace

bool try_choose_worker(Comm& comm) {
  const auto team = comm.worker->team();
  if (team.size() == 1 || comm.inter) return true;
  const std::uint32_t workers = workers_of(comm);
  if (workers == 0) return false;
  // Contexts are counted: communicators that are made one after the other have different workers.
  comm.message_worker = team[(comm.context >> 1) % workers];
  return true;
}

void choose_worker(Comm& comm) {
  while (!try_choose_worker(comm)) {
    comm.worker->progress_all();
    comm.worker->step_aside([] { sched_yield(); });
  }
}

Comm* create_members(Worker& worker, Context provisional, Ref<Group> group, const Comm* parent) {
  auto made = Ref<Comm>::adopt(make_comm(provisional, worker, std::move(group), {}, parent));
  Context context = next_context();
  broadcast(*made, 0, &context, sizeof context, leader_of(*made, 0, made->size));
  made->context = context;
  choose_worker(*made);
  return made.leak();
}

// Called by all of `parent`; the processes of one group talk among themselves only.
static Comm* create_group_of(Comm& parent, Ref<Group> group) {
  int tag = creation_tag(parent);
  if (group->rank == kUndefined) return nullptr;
  Context provisional = provisional_context({parent.context, static_cast<std::uint64_t>(tag)});
  return create_members(*parent.worker, provisional, std::move(group), &parent);
}

Comm* create_ranks(Comm& parent, const std::vector<int>& ranks) {
  std::vector<Peer> peers;
  peers.reserve(ranks.size());
  for (int rank : ranks) peers.push_back(parent.group->peer(rank));
  return create_group_of(parent, Ref<Group>::adopt(make_group(std::move(peers), parent.worker->self())));
}

Comm* create_first(Comm& parent, int n) {
  std::vector<int> ranks(static_cast<std::size_t>(n));
  std::iota(ranks.begin(), ranks.end(), 0);
  return create_ranks(parent, ranks);
}

Comm* make_inter(InterContexts contexts, Worker& worker, Ref<Group> local, Ref<Group> remote, const Comm* parent) {
  auto local_comm = Ref<Comm>::adopt(make_comm(contexts.local, worker, local, {}, parent));
  Comm* made = make_comm(contexts.inter, worker, std::move(local), std::move(remote), parent);
  made->local_comm = std::move(local_comm);
  return made;
}

namespace {

void check_subset(const Group& group, const Comm& comm) {
  if (!is_subset(group, *comm.group)) fail(kErrGroup, "the group has processes that are not in the communicator");
}

// One side of MPI_Comm_create on an intercommunicator, as its leader tells it.
struct Side {
  InterContexts proposal;
  std::int32_t size;
};

// The leaders of both sides exchange their groups and contexts; each tells its side. The smaller of the two contexts
// is taken: both sides come to the same.
Comm* create_inter(Comm& comm, Group& group) {
  int tag = creation_tag(comm);
  Comm& local = *comm.local_comm;
  Side mine{{next_context(), next_context()}, group.size}, theirs{};
  std::vector<ProcessAddress> members;
  const int leader = leader_of(comm, tag, comm.size), other = leader_of(comm, tag, comm.remote_size);
  if (comm.rank == leader) {
    exchange(comm, tag, &mine, sizeof mine, &theirs, sizeof theirs, other);
    const std::vector<ProcessAddress> my_members = addresses_of(*comm.worker, group);
    members.resize(static_cast<std::size_t>(theirs.size));
    exchange(comm, tag, my_members.data(), my_members.size() * sizeof(ProcessAddress), members.data(),
             members.size() * sizeof(ProcessAddress), other);
    theirs.proposal = {std::min(mine.proposal.inter, theirs.proposal.inter), mine.proposal.local};
  }
  int local_tag = creation_tag(local);
  broadcast(local, local_tag, &theirs, sizeof theirs, leader);
  members.resize(static_cast<std::size_t>(theirs.size));
  broadcast(local, local_tag, members.data(), members.size() * sizeof(ProcessAddress), leader);
  if (group.rank == kUndefined || members.empty()) return nullptr;
  return make_inter(theirs.proposal, *comm.worker, Ref<Group>(&group), admit_group(*comm.worker, members), &comm);
}

}  // namespace

void comm_create(Comm& comm, Group& group, Comm*& newcomm) {
  check_subset(group, comm);
  newcomm = comm.inter ? create_inter(comm, group) : create_group_of(comm, Ref<Group>(&group));
}

// Only the members of the group call: they are told from others by the parent, the tag and the group itself, which all of them
// know.
void comm_create_group(Comm& comm, Group& group, int tag, Comm*& newcomm) {
  check_intra(comm);
  check_subset(group, comm);
  newcomm = nullptr;
  if (group.rank == kUndefined) return;
  Context provisional =
      provisional_context({hash_of("group"), comm.context, static_cast<std::uint64_t>(tag), hash_of(*comm.worker, group)});
  newcomm = create_members(*comm.worker, provisional, Ref<Group>(&group), &comm);
}

void comm_create_from_group(Group& group, std::string_view stringtag, Info* info, Errhandler& errhandler, Comm*& newcomm) {
  object::check_errhandler(errhandler, Kind::kComm);
  newcomm = nullptr;
  if (group.size == 0) return;
  if (group.rank == kUndefined) fail(kErrGroup, "this process is not in the group");
  Context provisional = provisional_context({hash_of("from group"), hash_of(stringtag), hash_of(process_worker(), group)});
  newcomm = create_members(process_worker(), provisional, Ref<Group>(&group), nullptr);
  newcomm->errhandler = Ref<Errhandler>(&errhandler);
  newcomm->info = known_hints(info);
}

}  // namespace starling::comm
