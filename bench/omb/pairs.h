// SPDX-License-Identifier: BSD-3-Clause
// Several pairs at once: each rank of the first half sends to, or accesses the memory of, its peer in the second half.
#pragma once

#include "measure.h"

namespace omb {

// Rank r < count is paired with rank r + count. Ranks that are left over idle.
struct Pairs {
  explicit Pairs(const Run& run);
  int count;
  int peer;  // an idle rank's is itself
  bool first, idle;
};

// Ends the program if the number of ranks does not permit the number of pairs that was asked for.
void require_pairs(Run& run);
void announce_pairs(Run& run);

// Of what the first rank of each pair measured; the results are rank 0's.
// The average of the pairs; see latency_result() for `parts`.
Result average_latency(const Run& run, Timing& timing, bool first, int pairs, double parts);
// All together, from the slowest rank's time, which is left in `timing`; samples are the average of the `ranks` that measured.
Result total_bandwidth(const Run& run, Timing& timing, bool first, int ranks, double bytes_of_all);

}  // namespace omb
