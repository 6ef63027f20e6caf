// SPDX-License-Identifier: BSD-3-Clause
// The bodies of all programs, and what programs.def chooses by `detail`.
#pragma once

#include "collective.h"
#include "omb.h"

namespace omb {

using Body = Result(Run&, const Message&, int detail);

// pt2pt.cc, persistent.cc
enum Direction { kOneWay, kBothWays };
Body latency, bandwidth, latency_persistent, bandwidth_persistent, latency_partitioned;

// multiple.cc
enum Fan { kFanIn, kFanOut };
Body multiple_latency, multiple_bandwidth, bandwidth_fan;
void drive_multiple_bandwidth(Run& run);
void require_nodes(Run& run);

// threads.cc
Body latency_mt;
void announce_threads(Run& run);
void announce_processes(Run& run);
void drive_processes(Run& run);

// collective_run.cc; detail: a CollectiveId
Body collective_blocking, collective_overlap, collective_persistent;
void announce_overlap(Run& run);

// onesided.cc
enum RmaOperation { kPut, kGet, kPutBothWays, kAccumulate, kGetAccumulate, kCompareAndSwap, kFetchAndOp };
Body rma_latency, rma_bandwidth;
void announce_window(Run& run);
void announce_window_and_pairs(Run& run);
void drive_accumulate(Run& run);
void drive_atomic(Run& run);

// startup.cc
void drive_init(Run& run);
void drive_hello(Run& run);

}  // namespace omb
