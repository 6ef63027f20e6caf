// SPDX-License-Identifier: BSD-3-Clause
// Everything that is decided before the first process starts: which rank runs what, with which environment, on which
// processors.
#pragma once

#include <string>
#include <vector>

#include "launch/binding.h"
#include "launch/environment.h"
#include "launch/options.h"
#include "launch/pmi.h"

namespace starling::launch {

struct PlannedProgram {
  std::string path;  // file to execute
  std::vector<std::string> words;
  std::string directory;
  std::vector<std::string> environment;  // what all its ranks share
};

struct Plan {
  Options options;
  std::string host;
  std::vector<PlannedProgram> programs;
  std::vector<int> program_of;  // by rank
  Binding binding;
  int universe_size = 0;
  int timeout_seconds = 0;  // 0: none
  bool profile = false;
  std::string profile_suffix;  // of the names of its files: which of the jobs that were spawned this one is

  int ranks() const { return static_cast<int>(program_of.size()); }
};

// Looks up the programs, builds environments, binds. Throws Error (kErrArg: the user's mistake; kErrNoSuchFile: no such
// program). Prints the table of bindings to stderr if that is asked for. To be called once: it puts the assignments that are
// for the launcher itself (MVP_..., OMP_NUM_THREADS on the command line) into this process's environment, where the settings
// look.
Plan make_plan(Options options);

// The plan to serve a process that runs already, as if it were rank 0 of one.
Plan singleton_plan(Options options);
// The plan of a job that a rank of another one spawns: that of `parent` where the request says nothing. `running`: how many
// ranks use the machine already. Throws as make_plan does.
Plan plan_spawn(const Plan& parent, const std::vector<SpawnBlock>& blocks, int running);

// What -show prints: one line for each rank.
std::string show_text(const Plan& plan);

// The mask for sched_setaffinity, as the words of a cpu_set_t; empty if the rank is not bound.
std::vector<unsigned long> affinity_mask(const RankBinding& binding);

}  // namespace starling::launch
