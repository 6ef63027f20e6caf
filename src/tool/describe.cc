// SPDX-License-Identifier: BSD-3-Clause
#include "tool/describe.h"

#include "tool/event_types.h"

namespace starling::tool {

namespace {

constexpr AreaText kAreas[] = {
    {"starling", "Everything"},
    {"point_to_point", "Messages between two processes: protocols and queues"},
    {"collectives", "Collective operations and the choice of their algorithms"},
    {"one_sided", "Windows and one-sided communication"},
    {"progress", "Waiting for messages"},
    {"objects", "Objects that the program has made"},
    {"library", "Start, end and diagnosis"},
    {"profile", "The built-in profile of a run"},
    {"launcher", "What mpiexec does; fixed when the job starts"},
};
static_assert(std::size(kAreas) == static_cast<std::size_t>(Area::kCount_));

}  // namespace

const AreaText& text_of(Area area) { return kAreas[static_cast<std::size_t>(area)]; }

Enumeration make_enumeration(std::string name, const std::vector<std::string>& items) {
  Enumeration result{std::move(name), {}};
  for (std::size_t i = 0; i < items.size(); ++i) result.items.emplace_back(static_cast<int>(i), items[i]);
  return result;
}

const Enumeration& switch_states() {
  static const auto& made = *new Enumeration(make_enumeration("switch", {"off", "on"}));
  return made;
}
const Enumeration& library_states() {
  static const auto& made = *new Enumeration(make_enumeration("library_state", {"not initialized", "running", "finalized"}));
  return made;
}

const Enumeration* find_enumeration(const void* handle) {
  for (const Enumeration* known : {&switch_states(), &library_states()})
    if (handle == known) return known;
  for (const EventType& type : event_types())
    if (handle == &type.names) return &type.names;
  return nullptr;
}

}  // namespace starling::tool
