// SPDX-License-Identifier: BSD-3-Clause
// Performance variables (MPI 5.0, 15.3.7): what there is to be read, as a table. pvar_session.h has the handles.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/counters.h"
#include "object/object.h"
#include "tool/describe.h"

namespace starling::tool {

// In the order of MPI_T_PVAR_CLASS_*.
enum class PvarClass : unsigned char {
  kState,
  kLevel,
  kSize,
  kPercentage,
  kHighWatermark,
  kLowWatermark,
  kCounter,
  kAggregate,
  kTimer,
  kGeneric,
  kCount_
};

struct Pvar {
  std::string name;
  std::string help;
  PvarClass of_class;
  Area area;
  Bind bind;
  // The value now, of the whole process or of the object it is bound to. Timers: nanoseconds. Highest values have none.
  std::uint64_t (*read)(const Pvar& pvar, const Object* on);
  std::uint64_t Counters::*counter = nullptr;  // what read() looks at
  std::size_t collective = 0, algorithm = 0;

  // Sums are counted for each handle from its start on; what describes the moment is always there.
  bool is_sum() const {
    return of_class == PvarClass::kCounter || of_class == PvarClass::kAggregate || of_class == PvarClass::kTimer;
  }
  bool continuous() const { return !is_sum() && of_class != PvarClass::kHighWatermark; }
  Type type() const {
    return of_class == PvarClass::kState ? Type::kInt : of_class == PvarClass::kTimer ? Type::kDouble : Type::kUnsignedLongLong;
  }
  const Enumeration* items() const { return of_class == PvarClass::kState ? &library_states() : nullptr; }
};

const std::vector<Pvar>& pvars();  // immortal
const Pvar& pvar_at(int index);    // throws Error(kTErrInvalidIndex)
// Throws Error(kTErrInvalidName).
int find_pvar(std::string_view name, PvarClass of_class);

}  // namespace starling::tool
