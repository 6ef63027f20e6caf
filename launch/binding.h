// SPDX-License-Identifier: BSD-3-Clause
// Which processors each rank may use: a pure function of the machine, the number of ranks and the user's wishes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "launch/topology.h"

namespace starling::launch {

// Policies by name, as the settings give them (settings.def), and Hydra's options, which win if they are given.
struct BindingRequest {
  bool enabled = true;                   // MVP_ENABLE_AFFINITY
  std::string policy = "bunch";          // bunch, scatter, hybrid
  std::string level = "core";            // core, socket, numanode
  std::string hybrid_policy = "linear";  // linear, compact, spread, bunch, scatter, numa
  int threads = 0;                       // processors or cores for each rank under hybrid; 0: not said
  int pivot_core = 0;                    // where the hybrid policies start
  std::string mapping;                   // MVP_CPU_MAPPING: "0,2-4:1:5:6"
  std::string bind_to, map_by;           // Hydra: "core:2", "socket", "user:0,1", "none"
};

struct RankBinding {
  std::vector<int> processors;       // sorted; empty: not bound
  std::uint32_t ranks_per_core = 1;  // how many ranks share the busiest core of this one, rounded up
};

struct Binding {
  std::vector<RankBinding> ranks;
  std::string policy;  // in words, for the table: "bunch at core level", "none: more ranks than cores"
};

// Throws Error(kErrArg) for a name it does not know or a processor that the job may not use. More ranks than cores, or more
// threads than fit, is no error: then nobody is bound, unless the user named processors or objects.
Binding bind_ranks(const Topology& topology, int ranks, const BindingRequest& request);

// The table of MVP_SHOW_CPU_BINDING, several lines, each ending with a newline.
std::string binding_table(const Topology& topology, const Binding& binding, int threads);

// For binding_hydra.cc: -bind-to and -map-by. `sets` holds one list of processors a rank; empty lists for "none".
using ProcessorSets = std::vector<std::vector<int>>;
ProcessorSets bind_by_objects(const Topology& topology, int ranks, const std::string& bind_to, const std::string& map_by);
// One list of processors a rank from "0,2-4:1:5": rank i gets list i, starting over when the lists are used up.
ProcessorSets bind_by_lists(const Topology& topology, int ranks, const std::string& text, char separator);

}  // namespace starling::launch
