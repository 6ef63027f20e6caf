// SPDX-License-Identifier: BSD-3-Clause
#include "tool/event_types.h"

#include <time.h>

#include <iterator>

#include "base/constants.gen.h"
#include "base/error.h"

namespace starling::tool {

namespace {

struct Element {
  const char* name;
  Type type;
};

EventType make(const char* name, const char* help, Area area, std::initializer_list<Element> elements) {
  EventType type{name, help, area, {}, {}};
  std::vector<std::string> names;
  for (const Element& element : elements) {
    type.elements.push_back(element.type);
    names.emplace_back(element.name);
  }
  type.names = make_enumeration(std::string("elements of ") + name, names);
  return type;
}

}  // namespace

// Widest types first in a copy would save nothing worth a rule: each element begins at a multiple of 8.
std::size_t EventType::displacement(std::size_t i) const { return i * sizeof(std::int64_t); }

const std::vector<EventType>& event_types() {
  static const auto& all = *new std::vector<EventType>{
      make("unexpected_message", "A message has come before its receive", Area::kPointToPoint,
           {{"source", Type::kInt}, {"tag", Type::kInt}, {"bytes", Type::kCount}, {"context", Type::kUnsignedLongLong}}),
      make("algorithm_chosen",
           "An algorithm was chosen for a collective operation; it is the one with this place in the list of "
           "the operation (the order of the variables coll_<operation>_*)",
           Area::kCollectives,
           {{"operation", Type::kInt}, {"algorithm", Type::kInt}, {"bytes", Type::kCount}, {"ranks", Type::kInt}}),
      make("request_completed", "A request was completed by progress", Area::kPointToPoint,
           {{"source", Type::kInt}, {"tag", Type::kInt}, {"bytes", Type::kCount}, {"error", Type::kInt}}),
      make("sleep", "A thread has slept while it waited", Area::kProgress, {{"nanoseconds", Type::kUnsignedLongLong}}),
  };
  static_assert(static_cast<std::size_t>(events::Kind::kCount_) == 4);
  return all;
}

const EventType& event_type_at(int index) {
  if (index < 0 || index >= static_cast<int>(event_types().size())) fail(kTErrInvalidIndex, "there is no event %d", index);
  return event_types()[static_cast<std::size_t>(index)];
}

int find_event_type(std::string_view name) {
  for (std::size_t i = 0; i < event_types().size(); ++i)
    if (event_types()[i].name == name) return static_cast<int>(i);
  fail(kTErrInvalidName, "there is no event %.*s", static_cast<int>(name.size()), name.data());
}

std::int64_t timestamp() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::int64_t>(t.tv_sec) * kTicksPerSecond + t.tv_nsec;
}

}  // namespace starling::tool
