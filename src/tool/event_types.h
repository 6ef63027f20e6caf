// SPDX-License-Identifier: BSD-3-Clause
// The events that tools can hear of (MPI 5.0, 15.3.8), in the order of events::Kind.
#pragma once

#include <vector>

#include "base/events.h"
#include "tool/describe.h"

namespace starling::tool {

struct EventType {
  const char* name;
  const char* help;
  Area area;
  std::vector<Type> elements;
  Enumeration names;  // of the elements

  // Where element i lies in a copy of the event.
  std::size_t displacement(std::size_t i) const;
  std::size_t bytes() const { return displacement(elements.size()); }
};

const std::vector<EventType>& event_types();  // immortal
const EventType& event_type_at(int index);    // throws Error(kTErrInvalidIndex)
int find_event_type(std::string_view name);   // throws Error(kTErrInvalidName)

// The only source of events: the worker. Its time stamps are nanoseconds of the monotonic clock.
inline constexpr char kSourceName[] = "worker";
inline constexpr char kSourceHelp[] = "What happens when the library makes progress, in the order in which it happens";
inline constexpr std::int64_t kTicksPerSecond = 1'000'000'000;
std::int64_t timestamp();

}  // namespace starling::tool
