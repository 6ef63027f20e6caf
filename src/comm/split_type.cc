// SPDX-License-Identifier: BSD-3-Clause
// MPI_Comm_split_type (MPI 5.0 section 7.4.2): the colour is the part of the machine on which a process runs.
#include <string>
#include <vector>

#include "base/error.h"
#include "comm/agree.h"
#include "comm/create.h"
#include "comm/entry.gen.h"
#include "comm/hardware.h"

namespace starling::comm {

namespace {

constexpr std::string_view kTypeKey = "mpi_hw_resource_type";
constexpr std::string_view kSetKey = "mpi_pset_name";
constexpr std::string_view kSharedMemory = "mpi_shared_memory";

// 0, which stands for "not restricted to one", has no colour.
std::int64_t color_of(std::uint64_t resource) { return resource ? static_cast<std::int64_t>(resource & INT64_MAX) : kNoColor; }

// The part of the machine that a value of mpi_hw_resource_type names.
std::uint64_t named_resource(std::string_view type) {
  if (type == kSharedMemory) return resource_at(Level::kMachine);
  for (int level = 0; level < kLevels; ++level)
    if (type == kLevelNames[level]) return resource_at(static_cast<Level>(level));
  return 0;
}

// The colour of a process set; rank keeps the members of mpi://SELF apart.
std::int64_t set_color(std::string_view name, const Comm& comm) {
  if (name == "mpi://WORLD") return 0;
  return name == "mpi://SELF" ? comm.rank : kNoColor;
}

std::int64_t guided_color(const Comm& comm, const Info* info, bool sets_too) {
  if (const std::string* type = info ? info->find(kTypeKey) : nullptr) return color_of(named_resource(*type));
  const std::string* set = info && sets_too ? info->find(kSetKey) : nullptr;
  return set ? set_color(*set, comm) : kNoColor;
}

struct Resources {
  std::uint64_t at[kLevels];
};

// The largest part of the machine that not all processes of the communicator share. `all` has one entry per rank. Processes of
// the same part come to the same level: at the larger ones each of them shares with everybody.
std::int64_t unguided_color(const Comm& comm, const std::vector<Resources>& all, Info* info) {
  const Resources& mine = all[static_cast<std::size_t>(comm.rank)];
  for (int level = 0; level < kLevels; ++level) {
    if (mine.at[level] == 0) continue;
    std::size_t sharing = 0;
    for (const Resources& other : all) sharing += other.at[level] == mine.at[level];
    if (sharing == all.size()) continue;
    if (info) info->set(kTypeKey, kLevelNames[level]);
    return color_of(mine.at[level]);
  }
  return kNoColor;
}

// Every member of the local group takes part, whatever its split_type: it does not know that of the others.
std::vector<Resources> gather_resources(Comm& comm, bool mine_wanted) {
  Comm& intra = comm.inter ? *comm.local_comm : comm;
  std::vector<Resources> all(static_cast<std::size_t>(intra.size), Resources{});
  if (mine_wanted)
    for (int level = 0; level < kLevels; ++level)
      all[static_cast<std::size_t>(intra.rank)].at[level] = resource_at(static_cast<Level>(level));
  allgather(intra, creation_tag(intra), all.data(), sizeof(Resources));
  return all;
}

std::int64_t choose_color(Comm& comm, int split_type, Info* info) {
  std::vector<Resources> all = gather_resources(comm, split_type == kCommTypeHwUnguided);
  switch (split_type) {
    case kCommTypeShared:
      return color_of(resource_at(Level::kMachine));
    case kCommTypeHwUnguided:
      return unguided_color(comm, all, info);
    case kCommTypeHwGuided:
      return guided_color(comm, info, false);
    case kCommTypeResourceGuided:
      return guided_color(comm, info, true);
    default:
      return kNoColor;
  }
}

}  // namespace

void comm_split_type(Comm& comm, int split_type, int key, Info* info, Comm*& newcomm) {
  const bool known = split_type == kUndefined || (split_type >= kCommTypeShared && split_type <= kCommTypeResourceGuided);
  if (!known) fail(kErrArg, "%d is not a split type", split_type);
  newcomm = split(comm, choose_color(comm, split_type, info), key);
  if (newcomm) newcomm->info = known_hints(info);
}

void get_hw_resource_info(Info*& hw_info) {
  auto made = Ref<Info>::adopt(info_pool().create());
  made->set(kSharedMemory, "true");
  for (int level = 0; level < kLevels; ++level)
    made->set(kLevelNames[level], resource_at(static_cast<Level>(level)) ? "true" : "false");
  hw_info = made.leak();
}

}  // namespace starling::comm
