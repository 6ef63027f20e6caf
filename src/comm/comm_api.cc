// SPDX-License-Identifier: BSD-3-Clause
// Looking at communicators and letting go of them (MPI 5.0 sections 7.4.1, 7.4.3, 7.4.4, 7.6.1, 7.8).
#include <utility>

#include "base/error.h"
#include "comm/comm.h"
#include "comm/create.h"
#include "comm/dynamic.h"
#include "comm/entry.gen.h"

namespace starling::comm {

namespace {

// The hints of MPI 5.0, 7.4.4 and 11.4.3.
constexpr std::string_view kHints[] = {"mpi_assert_no_any_tag",
                                       "mpi_assert_no_any_source",
                                       "mpi_assert_exact_length",
                                       "mpi_assert_allow_overtaking",
                                       "mpi_assert_strict_persistent_collective_ordering",
                                       "mpi_assert_memory_alloc_kinds"};

int compare_groups(const Group& a, const Group& b) {
  if (same_order(a, b)) return kCongruent;
  return same_members(a, b) ? kSimilar : kUnequal;
}

}  // namespace

Ref<Info> known_hints(const Info* info) {
  Ref<Info> hints;
  for (std::string_view key : kHints) {
    const std::string* value = info ? info->find(key) : nullptr;
    if (!value) continue;
    if (!hints) hints = Ref<Info>::adopt(info_pool().create());
    hints->set(key, *value);
  }
  return hints;
}

void comm_size(Comm& comm, int& size) { size = comm.size; }

void comm_rank(Comm& comm, int& rank) { rank = comm.rank; }

void comm_test_inter(Comm& comm, bool& flag) { flag = comm.inter; }

void comm_remote_size(Comm& comm, int& size) {
  check_inter(comm);
  size = comm.remote_size;
}

void comm_group(Comm& comm, Group*& group) { group = retain(comm.group.get()); }

void comm_remote_group(Comm& comm, Group*& group) {
  check_inter(comm);
  group = retain(comm.remote_group.get());
}

void comm_compare(Comm& comm1, Comm& comm2, int& result) {
  result = kUnequal;
  if (&comm1 == &comm2) {
    result = kIdent;
  } else if (comm1.inter == comm2.inter) {
    int local = compare_groups(*comm1.group, *comm2.group);
    int remote = comm1.inter ? compare_groups(*comm1.remote_group, *comm2.remote_group) : local;
    if (local != kUnequal && remote != kUnequal) result = local == kSimilar || remote == kSimilar ? kSimilar : kCongruent;
  }
}

void comm_set_name(Comm& comm, std::string_view name) { comm.name = name.substr(0, kMaxObjectName - 1); }

void comm_get_name(Comm* comm, std::string& name) { name = comm ? comm->name : "MPI_COMM_NULL"; }

void comm_set_info(Comm& comm, Info* info) {
  if (Ref<Info> hints = known_hints(info)) {
    if (!comm.info) comm.info = Ref<Info>::adopt(info_pool().create());
    for (const auto& [key, value] : hints->entries) comm.info->set(key, value);
  }
}

void comm_get_info(Comm& comm, Info*& info_used) {
  info_used = comm.info ? object::copy_info(*comm.info) : info_pool().create();
  info_used->set(object::kMemoryKindsKey, object::kMemoryKinds);
}

// The user's handle goes away; the object when no operation needs it any more.
void comm_free(Comm*& comm) {
  if (comm->predefined()) fail(kErrComm, "%s cannot be freed", comm->name.c_str());
  comm->attributes.clear(*comm);
  comm->freed = true;
  forget_parent(*comm);
  Worker& worker = *comm->worker;
  release(std::exchange(comm, nullptr));
  release_guests(worker);
}

}  // namespace starling::comm
