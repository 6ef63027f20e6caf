// SPDX-License-Identifier: BSD-3-Clause
// What a worker counts of its own work (counters.def), for the tool interface. Plain increments of members of a structure that
// is at hand anyway.
//
// Thread-safety: written with the worker lock held. A tool's thread may read at any time; it sees some value of the near past.
#pragma once

#include <cstddef>
#include <cstdint>

namespace starling {

// Room for the algorithms of all collective operations; coll/algorithm.h checks the first, tool/ the second.
inline constexpr std::size_t kCountedCollectives = 22;
inline constexpr std::size_t kCountedAlgorithms = 32;

struct Counters {
#define COUNTER(area, kind, field, help) std::uint64_t field = 0;
#include "base/counters.def"
#undef COUNTER
  // By operation and place of the algorithm in its list, those for intercommunicators behind the others: calls for which the
  // algorithm was chosen; a persistent request is one, however often it is started.
  std::uint64_t algorithms[kCountedCollectives][kCountedAlgorithms] = {};
};

}  // namespace starling
