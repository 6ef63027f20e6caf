// SPDX-License-Identifier: BSD-3-Clause
#include "pairs.h"

#include <cstdio>

namespace omb {
namespace {

int count_of(const Run& run) { return run.options.pairs ? run.options.pairs : run.size / 2; }

}  // namespace

Pairs::Pairs(const Run& run) : count(count_of(run)), first(run.rank < count), idle(run.rank >= 2 * count) {
  peer = idle ? run.rank : first ? run.rank + count : run.rank - count;
}

void require_pairs(Run& run) {
  const int pairs = count_of(run);
  if (2 * pairs > run.size) quit(run, EXIT_FAILURE, "There are not enough processes for " + std::to_string(pairs) + " pairs");
}

void announce_pairs(Run& run) {
  if (run.root()) std::printf("# [ pairs: %d ] [ window size: %d ]\n", count_of(run), run.options.window_size());
}

Result average_latency(const Run& run, Timing& timing, bool first, int pairs, double parts) {
  timing.seconds = reduce(run, first ? timing.seconds : 0, MPI_SUM) / pairs;
  if (!first) timing.samples.clear();
  average_samples(run, timing.samples, pairs);
  return latency_result(run, timing, parts);
}

Result total_bandwidth(const Run& run, Timing& timing, bool first, int ranks, double bytes_of_all) {
  timing.seconds = reduce(run, first ? timing.seconds : 0, MPI_MAX);
  if (!first) timing.samples.clear();
  average_samples(run, timing.samples, ranks);
  return bandwidth_result(run, timing, bytes_of_all);
}

}  // namespace omb
