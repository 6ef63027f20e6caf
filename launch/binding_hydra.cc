// SPDX-License-Identifier: BSD-3-Clause
// Binding by the objects or processors that the user names: -bind-to, -map-by, MVP_CPU_MAPPING.
#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "launch/binding.h"

namespace starling::launch {

namespace {

// "core:2" -> core and 2.
struct Objects {
  Level level;
  int count;
};

Objects parse_objects(const char* option, const std::string& text) {
  auto colon = text.find(':');
  Objects objects{level_of(text.substr(0, colon)), 1};
  if (text.substr(0, colon) == "rr") objects.level = kCore;  // round robin over cores
  if (objects.level == kLevels)
    fail(kErrArg, "%s %s: the object can be hwthread, core, l1cache, l2cache, l3cache, numa, socket, machine%s", option,
         text.c_str(), option[1] == 'b' ? ", none or user:LIST" : "");
  if (colon != text.npos) {
    objects.count = std::atoi(text.c_str() + colon + 1);
    if (objects.count < 1) fail(kErrArg, "%s %s: a number of at least 1 follows the colon", option, text.c_str());
  }
  return objects;
}

// The groups of `level` that have a processor in group `outer_index` of `outer`, in order.
std::vector<int> groups_within(const Topology& topology, Level level, Level outer, int outer_index) {
  std::vector<int> groups;
  for (const Processor& processor : topology.processors)
    if (processor.group[outer] == outer_index && (groups.empty() || groups.back() != processor.group[level]))
      groups.push_back(processor.group[level]);
  return groups;
}

}  // namespace

// Rank i stands on object i of those mapped by, its neighbours on the next ones; when all are used, ranks stand on them again,
// on the next free objects inside. There it is bound to `count` objects.
ProcessorSets bind_by_objects(const Topology& topology, int ranks, const std::string& bind_to, const std::string& map_by) {
  if (bind_to == "none" || (bind_to.empty() && map_by.empty())) return {};
  if (bind_to.rfind("user:", 0) == 0) return bind_by_lists(topology, ranks, bind_to.substr(5), ',');
  Objects bound = parse_objects("-bind-to", bind_to.empty() ? map_by : bind_to);
  Objects mapped = map_by.empty() ? bound : parse_objects("-map-by", map_by);
  ProcessorSets sets;
  const int places = (topology.count[mapped.level] + mapped.count - 1) / mapped.count;
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<int> candidates;
    int first = 0;
    int place = rank % places * mapped.count, round = rank / places;
    if (mapped.level == bound.level) {
      candidates = groups_within(topology, bound.level, kMachine, 0);
      first = place;
    } else {
      candidates = groups_within(topology, bound.level, mapped.level, place);
      first = round * bound.count;
    }
    std::vector<int> set;
    for (int i = 0; i < bound.count; ++i) {
      int group = candidates[static_cast<std::size_t>(first + i) % candidates.size()];
      for (const Processor* processor : topology.members(bound.level, group)) set.push_back(processor->id);
    }
    sets.push_back(std::move(set));
  }
  return sets;
}

ProcessorSets bind_by_lists(const Topology& topology, int ranks, const std::string& text, char separator) {
  ProcessorSets lists;
  for (std::size_t start = 0; start <= text.size();) {
    auto end = std::min(text.find(separator, start), text.size());
    lists.push_back(parse_processor_list(text.substr(start, end - start)));
    for (int id : lists.back())
      if (std::none_of(topology.processors.begin(), topology.processors.end(), [&](const Processor& p) { return p.id == id; }))
        fail(kErrArg, "binding \"%s\": this job may not use processor %d", text.c_str(), id);
    start = end + 1;
  }
  ProcessorSets sets;
  for (int rank = 0; rank < ranks; ++rank) sets.push_back(lists[static_cast<std::size_t>(rank) % lists.size()]);
  return sets;
}

}  // namespace starling::launch
