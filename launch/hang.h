// SPDX-License-Identifier: BSD-3-Clause
// Who waits for whom, when ranks hang (MVP_HANG_TIMEOUT): drawn from what they have left in the job segment.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/job.h"

namespace starling::launch {

// For each rank the ranks (or kWaitsForAnybody) that it waits for; empty: it does not wait, or not yet for too long.
using Waits = std::vector<std::vector<std::uint32_t>>;

Waits read_waits(const JobMapping& job, int ranks);
// One line for each rank that waits, and one that names a circle, or, without one, the ranks that others wait for and that do
// not wait themselves. Empty if nobody waits.
std::string describe_waits(const Waits& waits);
// Ranks of a circle in which each waits for the next; empty if there is none.
std::vector<int> find_circle(const Waits& waits);

// Tells on stderr, once for each state that has lasted for two looks.
class HangWatch {
 public:
  void look(const JobMapping& job, int ranks);

 private:
  Waits last_, told_;
};

}  // namespace starling::launch
