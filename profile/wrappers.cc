// SPDX-License-Identifier: BSD-3-Clause
// The wrappers of one ABI: compiled with its mpi.h and STARLING_PROFILE_ABI = mpich or standard.
#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "profile/entry.h"
#include "profile/recorder.h"

namespace starling::profile::STARLING_PROFILE_ABI {

namespace {

#include "profile/hooks.inc"

// ---- What the recorder asks; by PMPI_ names, which no tool replaces

struct Questions {
  decltype(&PMPI_Comm_rank) comm_rank;
  decltype(&PMPI_Comm_size) comm_size;
  decltype(&PMPI_Comm_test_inter) comm_test_inter;
  decltype(&PMPI_Comm_group) comm_group;
  decltype(&PMPI_Comm_remote_group) comm_remote_group;
  decltype(&PMPI_Group_size) group_size;
  decltype(&PMPI_Group_rank) group_rank;
  decltype(&PMPI_Group_free) group_free;
  decltype(&PMPI_Group_translate_ranks) group_translate_ranks;
  decltype(&PMPI_Group_from_session_pset) group_from_session_pset;
  decltype(&PMPI_Type_size_c) type_size_c;
  decltype(&PMPI_Type_size) type_size;
  decltype(&PMPI_Query_thread) query_thread;
  decltype(&PMPI_Bcast) bcast;
  decltype(&PMPI_Barrier) barrier;
} mpi;

MPI_Group world = MPI_GROUP_NULL;  // what ranks in a profile refer to
bool world_is_of_init = false;     // MPI_Finalize ends the profile, not the last session

std::vector<int> in_world(MPI_Group group) {
  int size = 0;
  mpi.group_size(group, &size);
  std::vector<int> here(static_cast<std::size_t>(size)), there(here.size());
  for (int i = 0; i < size; ++i) here[static_cast<std::size_t>(i)] = i;
  mpi.group_translate_ranks(group, size, here.data(), world, there.data());
  for (int& rank : there)
    if (rank == MPI_UNDEFINED) rank = -1;
  mpi.group_free(&group);
  return there;
}

bool members(Word comm, Members& members) {
  const MPI_Comm the_comm = handle<MPI_Comm>(comm);
  MPI_Group group;
  int inter = 0;
  if (world == MPI_GROUP_NULL) return false;
  if (mpi.comm_test_inter(the_comm, &inter) != MPI_SUCCESS || mpi.comm_group(the_comm, &group) != MPI_SUCCESS) return false;
  mpi.comm_rank(the_comm, &members.rank);
  members.inter = inter != 0;
  members.local = in_world(group);
  if (inter && mpi.comm_remote_group(the_comm, &group) == MPI_SUCCESS) members.remote = in_world(group);
  return true;
}

std::uint64_t type_size(Word datatype) {
  if (mpi.type_size_c) {
    MPI_Count bytes = 0;
    mpi.type_size_c(handle<MPI_Datatype>(datatype), &bytes);
    return bytes < 0 ? 0 : static_cast<std::uint64_t>(bytes);
  }
  int bytes = 0;
  mpi.type_size(handle<MPI_Datatype>(datatype), &bytes);
  return bytes < 0 ? 0 : static_cast<std::uint64_t>(bytes);
}

bool broadcast(void* data, int bytes) { return mpi.bcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD) == MPI_SUCCESS; }
void barrier() { mpi.barrier(MPI_COMM_WORLD); }

constexpr Library kLibrary = {members, type_size, broadcast, barrier};

void join(bool may_share) {
  int rank, size, level = MPI_THREAD_SINGLE;
  mpi.group_rank(world, &rank);
  mpi.group_size(world, &size);
  if (may_share) mpi.query_thread(&level);
  recorder.join(kLibrary, rank, size, may_share, level == MPI_THREAD_MULTIPLE || !may_share);
}

void leave_world() {
  if (world != MPI_GROUP_NULL) mpi.group_free(&world);
}

void join_world() {
  leave_world();
  world_is_of_init = mpi.comm_group(MPI_COMM_WORLD, &world) == MPI_SUCCESS;
  if (world_is_of_init && !recorder.on) join(true);
}

void join_session(MPI_Session session) {
  if (mpi.group_from_session_pset(session, "mpi://WORLD", &world) == MPI_SUCCESS && !recorder.on) join(false);
}

#include "profile/by_hand.inc"
#include "profile/wrappers.gen.inc"

}  // namespace

const EntryPointer* wrappers(void* (*find)(const char* name)) {
  auto ask = [find](auto& question, const char* name) {
    question = reinterpret_cast<std::decay_t<decltype(question)>>(find(name));
  };
  ask(mpi.comm_rank, "PMPI_Comm_rank");
  ask(mpi.comm_size, "PMPI_Comm_size");
  ask(mpi.comm_test_inter, "PMPI_Comm_test_inter");
  ask(mpi.comm_group, "PMPI_Comm_group");
  ask(mpi.comm_remote_group, "PMPI_Comm_remote_group");
  ask(mpi.group_size, "PMPI_Group_size");
  ask(mpi.group_rank, "PMPI_Group_rank");
  ask(mpi.group_free, "PMPI_Group_free");
  ask(mpi.group_translate_ranks, "PMPI_Group_translate_ranks");
  ask(mpi.group_from_session_pset, "PMPI_Group_from_session_pset");
  ask(mpi.type_size_c, "PMPI_Type_size_c");
  ask(mpi.type_size, "PMPI_Type_size");
  ask(mpi.query_thread, "PMPI_Query_thread");
  ask(mpi.bcast, "PMPI_Bcast");
  ask(mpi.barrier, "PMPI_Barrier");
  return kWrappers;
}

}  // namespace starling::profile::STARLING_PROFILE_ABI
