// SPDX-License-Identifier: BSD-3-Clause
// Rules: which algorithm is chosen (DESIGN D10). One mechanism for all collectives: a table of rows, the first row of a
// collective whose ranges hold and whose algorithm applies to the arguments wins. Read once per communicator and collective,
// into its plan.
#pragma once

#include <cstdint>
#include <span>

#include "base/types.h"
#include "coll/algorithm.h"

namespace starling::coll {

inline constexpr Count kAnyBytes = INT64_MAX;
inline constexpr int kAnyRanks = INT32_MAX;

// Whether a rule holds for ranks that have cores of their own, for ranks that share cores, or for both (Worker::cores_shared).
enum class Cores : unsigned char { kAny, kOwn, kShared };

struct Rule {
  Id id;
  const char* algorithm;
  Count min_bytes, max_bytes;  // both included; bytes as Collective::bytes counts them
  int min_ranks, max_ranks;
  Cores cores = Cores::kAny;
  int min_nodes = 1, max_nodes = kAnyRanks;
};

std::span<const Rule> rules();

}  // namespace starling::coll
