// SPDX-License-Identifier: BSD-3-Clause
// From the segment to the numbers of the report: matches the events of all ranks, and splits each wait into waiting for others
// and transfer (doc/profile.md has the definitions). Times are seconds.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/segment.h"

namespace starling::profile {

struct RankResult {
  RankState state = RankState::kAbsent;
  unsigned pid = 0;
  std::string program, host;
  double run = 0;       // from the end of MPI_Init to the beginning of MPI_Finalize, or to the last call
  double compute = 0;   // outside of MPI
  double waiting = 0;   // for others to come
  double transfer = 0;  // the rest of those calls in which it waits for others
  double other = 0;     // in calls of which nobody knows for whom they waited
  double caused = 0;    // what the others waited for this one
  std::string inside;   // the call in which it was when the job ended
  double inside_for = 0;
};

struct CallResult {
  const char* name = "";
  std::uint64_t count = 0;
  double total = 0, max = 0, waiting = 0, transfer = 0, other = 0;
  int least_rank = 0, most_rank = 0;  // of those ranks that are there: who spent the least, the most time in it
  double least = 0, most = 0;
};

struct Result {
  std::vector<RankResult> ranks;
  std::vector<CallResult> calls;                // the longest total first
  std::vector<std::vector<Traffic>> traffic;    // [from][to]
  std::vector<std::vector<double>> waited_for;  // [who][for whom]
  std::vector<SizeCount> message_sizes, collective_sizes;
  double elapsed = 0;                       // the longest run
  double perfect = 0, perfect_least = 0;    // estimate of the same with a perfect interconnect, and what it cannot be below
  unsigned thinned = 0;                     // one of 2^thinned operations was looked at
  std::uint64_t events = 0, unmatched = 0;  // waits; those of which the other side is not known
  std::uint64_t lost_channels = 0;
  int present = 0;  // ranks that called MPI_Init
};

Result analyze(const Segment& segment);

}  // namespace starling::profile
