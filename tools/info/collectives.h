// SPDX-License-Identifier: BSD-3-Clause
// What mpi_info says about collective operations.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace starling::info {

struct Job {
  int ranks = 0;
  int nodes = 1;  // with the ranks in equal parts, in order
  std::int64_t bytes = 1024;
};

// The algorithm that would be chosen for each collective operation and why, and what the model predicts for it and for the
// others.
std::string collectives_report(const Job& job);
// Predicted times of all algorithms of allreduce, bcast and alltoall for up to 65,536 ranks, `ranks_per_node` on each node; or
// of the one named. Empty if the name is another.
std::string simulation_report(std::string_view collective, int ranks_per_node, std::int64_t bytes);

}  // namespace starling::info
