// SPDX-License-Identifier: BSD-3-Clause
#include "launch/binding.h"

#include <algorithm>
#include <map>

#include "base/error.h"

namespace starling::launch {

namespace {

// A machine as the policies see it: cores (or hardware threads) in order, in groups that ranks are dealt to.
using Unit = std::vector<int>;    // processors of one core
using Group = std::vector<Unit>;  // cores of one socket, NUMA node, or the machine

std::vector<Group> grouped_units(const Topology& topology, Level unit, Level group) {
  std::vector<Group> groups(static_cast<std::size_t>(topology.count[group]));
  int last = -1;
  for (const Processor& processor : topology.processors) {
    Group& owner = groups[static_cast<std::size_t>(processor.group[group])];
    if (processor.group[unit] != last) owner.emplace_back();
    last = processor.group[unit];
    owner.back().push_back(processor.id);
  }
  return groups;
}

// All units in one line, starting `pivot` units on and wrapping around.
std::vector<Unit> line_of_units(const Topology& topology, Level unit, int pivot) {
  std::vector<Unit> line = grouped_units(topology, unit, kMachine).front();
  std::rotate(line.begin(), line.begin() + pivot % static_cast<int>(line.size()), line.end());
  return line;
}

// `count` units from `first` on, as one set.
std::vector<int> merge(const std::vector<Unit>& units, std::size_t first, std::size_t count) {
  std::vector<int> set;
  for (std::size_t i = first; i < first + count && i < units.size(); ++i)
    set.insert(set.end(), units[i].begin(), units[i].end());
  return set;
}

// Consecutive blocks of `threads` units, `stride` apart. Empty if they do not fit.
ProcessorSets in_line(const std::vector<Unit>& units, int ranks, int threads, int stride) {
  ProcessorSets sets;
  if (static_cast<std::size_t>((ranks - 1) * stride + threads) > units.size()) return sets;
  for (int rank = 0; rank < ranks; ++rank)
    sets.push_back(merge(units, static_cast<std::size_t>(rank * stride), static_cast<std::size_t>(threads)));
  return sets;
}

enum class Deal { kFillFirst, kRoundRobin };

// Blocks of `threads` units that never straddle two groups: groups are filled one after the other, or dealt to in turn. Empty
// if the blocks do not fit.
ProcessorSets in_groups(const std::vector<Group>& groups, int ranks, int threads, Deal deal) {
  ProcessorSets sets;
  std::vector<std::size_t> used(groups.size(), 0);
  std::size_t turn = 0;
  while (sets.size() < static_cast<std::size_t>(ranks)) {
    std::size_t tries = 0;
    while (tries < groups.size() && used[turn] + static_cast<std::size_t>(threads) > groups[turn].size())
      turn = (turn + 1) % groups.size(), ++tries;
    if (tries == groups.size()) return {};
    sets.push_back(merge(groups[turn], used[turn], static_cast<std::size_t>(threads)));
    used[turn] += static_cast<std::size_t>(threads);
    if (deal == Deal::kRoundRobin) turn = (turn + 1) % groups.size();
  }
  return sets;
}

// bunch and scatter: one core of its own for each rank, then widened to the level that the rank is bound to.
ProcessorSets bunch_or_scatter(const Topology& topology, int ranks, const BindingRequest& request) {
  Level level = level_of(request.level);
  if (level != kCore && level != kSocket && level != kNuma)
    fail(kErrArg, "MVP_CPU_BINDING_LEVEL is \"%s\"; it can be core, socket or numanode", request.level.c_str());
  bool scatter = request.policy == "scatter";
  Level dealt = level == kNuma ? kNuma : kSocket;
  ProcessorSets sets =
      in_groups(grouped_units(topology, kCore, dealt), ranks, 1, scatter ? Deal::kRoundRobin : Deal::kFillFirst);
  if (level == kCore) return sets;
  std::map<int, int> group_of;
  for (const Processor& processor : topology.processors) group_of[processor.id] = processor.group[level];
  for (std::vector<int>& set : sets) {
    int group = group_of[set.front()];
    set.clear();
    for (const Processor* processor : topology.members(level, group)) set.push_back(processor->id);
  }
  return sets;
}

ProcessorSets hybrid(const Topology& topology, int ranks, const BindingRequest& request, int threads) {
  const std::string& policy = request.hybrid_policy;
  if (policy == "linear") return in_line(line_of_units(topology, kCore, request.pivot_core), ranks, threads, threads);
  if (policy == "compact") return in_line(line_of_units(topology, kHwthread, request.pivot_core), ranks, threads, threads);
  if (policy == "spread") {
    std::vector<Unit> cores = line_of_units(topology, kCore, request.pivot_core);
    int stride = static_cast<int>(cores.size()) / ranks;
    if (stride == 0) return {};
    return in_line(cores, ranks, request.threads > 0 ? std::min(threads, stride) : stride, stride);
  }
  if (policy == "bunch") return in_groups(grouped_units(topology, kCore, kNuma), ranks, threads, Deal::kFillFirst);
  if (policy == "scatter") return in_groups(grouped_units(topology, kCore, kSocket), ranks, threads, Deal::kRoundRobin);
  if (policy == "numa") return in_groups(grouped_units(topology, kCore, kNuma), ranks, threads, Deal::kRoundRobin);
  fail(kErrArg, "MVP_HYBRID_BINDING_POLICY is \"%s\"; it can be linear, compact, spread, bunch, scatter or numa",
       policy.c_str());
}

// Fills in who shares cores with whom: each rank loads each of its cores with its share.
void count_sharing(const Topology& topology, Binding& binding) {
  std::map<int, int> core_of;
  for (const Processor& processor : topology.processors) core_of[processor.id] = processor.group[kCore];
  std::vector<double> load(static_cast<std::size_t>(topology.count[kCore]), 0);
  std::vector<std::vector<int>> cores(binding.ranks.size());
  for (std::size_t rank = 0; rank < binding.ranks.size(); ++rank) {
    std::vector<int>& mine = cores[rank];
    for (int id : binding.ranks[rank].processors) mine.push_back(core_of[id]);
    if (mine.empty())
      for (int core = 0; core < topology.count[kCore]; ++core) mine.push_back(core);
    std::sort(mine.begin(), mine.end());
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    for (int core : mine) load[static_cast<std::size_t>(core)] += 1.0 / static_cast<double>(mine.size());
  }
  for (std::size_t rank = 0; rank < binding.ranks.size(); ++rank) {
    double most = 1;
    for (int core : cores[rank]) most = std::max(most, load[static_cast<std::size_t>(core)]);
    // The sums of shares are not exact: 3 x 1/3 may be a little more than 1.
    binding.ranks[rank].ranks_per_core = static_cast<std::uint32_t>(most - 1e-6) + 1;
  }
}

// The sets of processors, and how they came about. No sets: nobody is bound.
ProcessorSets choose(const Topology& topology, int ranks, const BindingRequest& request, std::string& policy) {
  if (!request.bind_to.empty() || !request.map_by.empty()) {
    policy = "-bind-to " + (request.bind_to.empty() ? "none" : request.bind_to);
    return bind_by_objects(topology, ranks, request.bind_to, request.map_by);
  }
  if (!request.enabled) {
    policy = "none: affinity is off";
    return {};
  }
  if (!request.mapping.empty()) {
    policy = "mapping " + request.mapping;
    return bind_by_lists(topology, ranks, request.mapping, ':');
  }
  ProcessorSets sets;
  int threads = std::max(1, request.threads);
  // A rank with threads is not squeezed onto one core because nobody named a policy.
  if (request.policy == "hybrid" || (request.policy == "bunch" && request.level == "core" && threads > 1)) {
    policy = "hybrid " + request.hybrid_policy;
    sets = hybrid(topology, ranks, request, threads);
  } else if (request.policy == "bunch" || request.policy == "scatter") {
    policy = request.policy + " at " + request.level + " level";
    sets = bunch_or_scatter(topology, ranks, request);
  } else {
    fail(kErrArg, "MVP_CPU_BINDING_POLICY is \"%s\"; it can be bunch, scatter or hybrid", request.policy.c_str());
  }
  if (sets.empty())
    policy = "none: " + std::to_string(ranks) + " ranks of " + std::to_string(threads) + " threads on " +
             std::to_string(topology.count[kCore]) + " cores";
  return sets;
}

std::string groups_text(const Topology& topology, const std::vector<int>& processors, Level level) {
  std::vector<int> groups;
  for (const Processor& processor : topology.processors)
    if (processors.empty() || std::find(processors.begin(), processors.end(), processor.id) != processors.end())
      groups.push_back(processor.group[level]);
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  return processor_list_text(groups);
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

}  // namespace

Binding bind_ranks(const Topology& topology, int ranks, const BindingRequest& request) {
  Binding binding;
  binding.ranks.resize(static_cast<std::size_t>(ranks));
  ProcessorSets sets = choose(topology, ranks, request, binding.policy);
  for (std::size_t rank = 0; rank < sets.size(); ++rank) {
    std::vector<int>& set = sets[rank];
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    binding.ranks[rank].processors = std::move(set);
  }
  count_sharing(topology, binding);
  return binding;
}

std::string binding_table(const Topology& topology, const Binding& binding, int threads) {
  std::string text = "-------------CPU AFFINITY-------------\n";
  text += "policy: " + binding.policy + "\n";
  text += "threads per process: " + (threads > 0 ? std::to_string(threads) : std::string("not set")) + "\n";
  text += "cores: " + std::to_string(topology.count[kCore]) +
          "   hardware threads: " + std::to_string(topology.count[kHwthread]) +
          "   NUMA nodes: " + std::to_string(topology.count[kNuma]) + "   sockets: " + std::to_string(topology.count[kSocket]) +
          "\n";
  text += padded("RANK", 8) + padded("CPU_SET", 24) + padded("NUMA", 10) + padded("SOCKET", 8) + "RANKS PER CORE\n";
  for (std::size_t rank = 0; rank < binding.ranks.size(); ++rank) {
    const RankBinding& bound = binding.ranks[rank];
    text += padded(std::to_string(rank), 7) + " ";
    text += padded(bound.processors.empty() ? "any" : processor_list_text(bound.processors), 23) + " ";
    text += padded(groups_text(topology, bound.processors, kNuma), 9) + " ";
    text += padded(groups_text(topology, bound.processors, kSocket), 7) + " ";
    text += std::to_string(bound.ranks_per_core) + "\n";
  }
  return text + "--------------------------------------\n";
}

}  // namespace starling::launch
