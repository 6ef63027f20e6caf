// SPDX-License-Identifier: BSD-3-Clause
#include "coll/selection.h"

#include <cctype>
#include <iterator>

namespace starling::coll {

namespace {

using Field = std::string Settings::*;

// In the order of Id.
struct Row {
  const char* name;
  Field intra, nonblocking_intra, inter, nonblocking_inter;
};
constexpr Row kRows[] = {
    {"barrier", &Settings::barrier_intra_algorithm, &Settings::ibarrier_intra_algorithm, &Settings::barrier_inter_algorithm,
     &Settings::ibarrier_inter_algorithm},
    {"bcast", &Settings::bcast_intra_algorithm, &Settings::ibcast_intra_algorithm, &Settings::bcast_inter_algorithm,
     &Settings::ibcast_inter_algorithm},
    {"gather", &Settings::gather_intra_algorithm, &Settings::igather_intra_algorithm, &Settings::gather_inter_algorithm,
     &Settings::igather_inter_algorithm},
    {"gatherv", &Settings::gatherv_intra_algorithm, &Settings::igatherv_intra_algorithm, &Settings::gatherv_inter_algorithm,
     &Settings::igatherv_inter_algorithm},
    {"scatter", &Settings::scatter_intra_algorithm, &Settings::iscatter_intra_algorithm, &Settings::scatter_inter_algorithm,
     &Settings::iscatter_inter_algorithm},
    {"scatterv", &Settings::scatterv_intra_algorithm, &Settings::iscatterv_intra_algorithm, &Settings::scatterv_inter_algorithm,
     &Settings::iscatterv_inter_algorithm},
    {"allgather", &Settings::allgather_intra_algorithm, &Settings::iallgather_intra_algorithm,
     &Settings::allgather_inter_algorithm, &Settings::iallgather_inter_algorithm},
    {"allgatherv", &Settings::allgatherv_intra_algorithm, &Settings::iallgatherv_intra_algorithm,
     &Settings::allgatherv_inter_algorithm, &Settings::iallgatherv_inter_algorithm},
    {"alltoall", &Settings::alltoall_intra_algorithm, &Settings::ialltoall_intra_algorithm, &Settings::alltoall_inter_algorithm,
     &Settings::ialltoall_inter_algorithm},
    {"alltoallv", &Settings::alltoallv_intra_algorithm, &Settings::ialltoallv_intra_algorithm,
     &Settings::alltoallv_inter_algorithm, &Settings::ialltoallv_inter_algorithm},
    {"alltoallw", &Settings::alltoallw_intra_algorithm, &Settings::ialltoallw_intra_algorithm,
     &Settings::alltoallw_inter_algorithm, &Settings::ialltoallw_inter_algorithm},
    {"reduce", &Settings::reduce_intra_algorithm, &Settings::ireduce_intra_algorithm, &Settings::reduce_inter_algorithm,
     &Settings::ireduce_inter_algorithm},
    {"allreduce", &Settings::allreduce_intra_algorithm, &Settings::iallreduce_intra_algorithm,
     &Settings::allreduce_inter_algorithm, &Settings::iallreduce_inter_algorithm},
    {"reduce_scatter_block", &Settings::reduce_scatter_block_intra_algorithm, &Settings::ireduce_scatter_block_intra_algorithm,
     &Settings::reduce_scatter_block_inter_algorithm, &Settings::ireduce_scatter_block_inter_algorithm},
    {"reduce_scatter", &Settings::reduce_scatter_intra_algorithm, &Settings::ireduce_scatter_intra_algorithm,
     &Settings::reduce_scatter_inter_algorithm, &Settings::ireduce_scatter_inter_algorithm},
    {"scan", &Settings::scan_intra_algorithm, &Settings::iscan_intra_algorithm, nullptr, nullptr},
    {"exscan", &Settings::exscan_intra_algorithm, &Settings::iexscan_intra_algorithm, nullptr, nullptr},
    {"neighbor_allgather", &Settings::neighbor_allgather_intra_algorithm, &Settings::ineighbor_allgather_intra_algorithm,
     nullptr, nullptr},
    {"neighbor_allgatherv", &Settings::neighbor_allgatherv_intra_algorithm, &Settings::ineighbor_allgatherv_intra_algorithm,
     nullptr, nullptr},
    {"neighbor_alltoall", &Settings::neighbor_alltoall_intra_algorithm, &Settings::ineighbor_alltoall_intra_algorithm, nullptr,
     nullptr},
    {"neighbor_alltoallv", &Settings::neighbor_alltoallv_intra_algorithm, &Settings::ineighbor_alltoallv_intra_algorithm,
     nullptr, nullptr},
    {"neighbor_alltoallw", &Settings::neighbor_alltoallw_intra_algorithm, &Settings::ineighbor_alltoallw_intra_algorithm,
     nullptr, nullptr},
};
static_assert(std::size(kRows) == kIds);

// What algorithms are called elsewhere (MPICH and MVAPICH; there non-blocking ones have their own implementations, whose names
// begin with sched_ or tsp_), and here. The first of several that the collective has is meant. Variants that differ in things
// that are settings here, or that compress, mean the plain algorithm.
struct Alias {
  const char* theirs;
  const char* ours;
};
constexpr Alias kAliases[] = {
    {"smp", "two_level"},
    {"smp", "multi_leader"},
    {"smp", "multi_endpoint_knomial"},
    {"osu_pairwise", "recexch"},
    {"osu_pairwise", "scatter_ring_allgather"},
    {"recursive_doubling", "recexch"},
    {"recursive_doubling", "noncommutative"},
    {"recexch", "recursive_multiplying"},
    {"recexch", "recursive_halving"},
    {"recexch_single_buffer", "recursive_multiplying"},
    {"recexch_multiple_buffer", "recursive_multiplying"},
    {"recexch_doubling", "recursive_doubling"},
    {"recexch_doubling", "brucks"},
    {"recexch_halving", "recursive_doubling"},
    {"recexch_halving", "brucks"},
    {"recexch_reduce_scatter_recexch_allgatherv", "reduce_scatter_allgather"},
    {"k_reduce_scatter_allgather", "reduce_scatter_allgather"},
    {"naive", "reduce_bcast"},
    {"scatterv_recexch_allgatherv", "scatter_recursive_doubling_allgather"},
    {"scatterv_ring_allgatherv", "scatter_ring_allgather"},
    {"tree", "knomial"},
    {"osu_knomial", "knomial"},
    {"osu_pipelined", "pipelined_chain"},
    {"ring", "pipelined_chain"},
    {"ring", "pipelined"},
    {"ring", "pairwise"},
    {"osu_allreduce", "reduce_scatter_gather"},
    {"osu_direct", "linear"},
    {"osu_direct", "spread"},
    {"osu_direct_block", "linear"},
    {"osu_direct_spread", "spread"},
    {"k_brucks", "brucks"},
    {"permuted_sendrecv", "scattered"},
    {"blocked", "scattered"},
    {"inplace", "pairwise_sendrecv_replace"},
    {"osu_basic", "pairwise"},
    {"osu_ring", "ring"},
    {"osu_ring_compression", "ring"},
    {"osu_rsa_ring_compression", "ring"},
    {"osu_rd_compression", "recursive_doubling"},
    // Between two groups there is one algorithm each.
    {"flat", "remote_send_local_bcast"},
    {"local_gather_remote_send", "linear"},
    {"remote_send_local_scatter", "linear"},
    {"long", "linear"},
    {"short", "linear"},
    {"local_gather_remote_bcast", "remote_gather_local_bcast"},
    {"remote_reduce_local_bcast", "reduce_exchange_bcast"},
    {"remote_reduce_local_scatterv", "remote_reduce_local_scatter"},
};

}  // namespace

std::string_view without_prefix(std::string_view name) {
  for (std::string_view prefix : {"sched_", "tsp_"})
    if (name.substr(0, prefix.size()) == prefix) return name.substr(prefix.size());
  return name;
}

const char* name_of(Id id) { return kRows[static_cast<std::size_t>(id)].name; }

Id id_of(std::string_view name) {
  std::size_t id = 0;
  while (id < kIds && name != kRows[id].name) ++id;
  return static_cast<Id>(id);
}

NamingSetting naming_setting(Id id, bool inter, bool blocking) {
  const Row& row = kRows[static_cast<std::size_t>(id)];
  const Field field = inter ? (blocking ? row.inter : row.nonblocking_inter) : (blocking ? row.intra : row.nonblocking_intra);
  if (!field) return {};
  std::string variable = std::string(blocking ? "" : "I") + row.name + (inter ? "_INTER_ALGORITHM" : "_INTRA_ALGORITHM");
  for (char& c : variable) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return {&(settings().*field), "MVP_" + variable};
}

bool is_auto(std::string_view name) {
  name = without_prefix(name);
  return name.empty() || name == "auto" || name == "nb" || name == "osu_gpu_compression";
}

const char* meaning(std::string_view name, int i) {
  name = without_prefix(name);
  for (const Alias& alias : kAliases)
    if (name == alias.theirs && i-- == 0) return alias.ours;
  return nullptr;
}

}  // namespace starling::coll
