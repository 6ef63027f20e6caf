// SPDX-License-Identifier: BSD-3-Clause
// How long MPI takes to start.
#include <cstdio>

#include "programs.h"

namespace omb {

void drive_init(Run& run) {
  const double mine = run.init_seconds * 1e3;
  const double least = reduce(run, mine, MPI_MIN), most = reduce(run, mine, MPI_MAX), sum = reduce(run, mine, MPI_SUM);
  print_title(run);
  if (run.root()) std::printf("nprocs: %d, min: %.0f ms, max: %.0f ms, avg: %.0f ms\n", run.size, least, most, sum / run.size);
}

void drive_hello(Run& run) {
  print_title(run);
  if (run.root()) std::printf("This is a test with %d processes\n", run.size);
}

}  // namespace omb
