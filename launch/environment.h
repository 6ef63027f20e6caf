// SPDX-License-Identifier: BSD-3-Clause
// The environment of a rank: what it inherits from the launcher, what the user assigns, what the launcher tells it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "launch/options.h"

namespace starling::launch {

// A set of NAME=VALUE strings in which a name occurs once.
class Environment {
 public:
  // Inherits from `inherited` (as environ) what the rules allow, then applies assignments: the global ones, then the program's.
  Environment(char* const* inherited, const EnvironmentRules& global, const EnvironmentRules& program);

  void set(std::string_view name, std::string_view value);
  std::string_view get(std::string_view name) const;  // empty if not set
  const std::vector<std::string>& entries() const { return entries_; }

 private:
  std::vector<std::string> entries_;
};

// What a rank is told about its place in the job.
struct RankPlace {
  int rank;
  int ranks;
  int program;  // index in the MPMD list
  int universe_size;
  int pmi_fd;                // descriptor in the rank's process that speaks PMI
  std::string job_path;      // of the job segment
  std::string profile_path;  // of the profile segment; empty: no profile
  std::string host;
  bool spawned = false;  // by a rank of another job
};

// The variables that tell it, as NAME=VALUE: STARLING_JOB, PMI_*, MPI_LOCALRANKID, MVP_/MV2_COMM_WORLD_* ...
std::vector<std::string> place_variables(const RankPlace& place);

// True for a variable that tells a process its place in some job: never inherited, because a job may be started from within
// another.
bool is_place_variable(std::string_view name);

}  // namespace starling::launch
