/* SPDX-License-Identifier: BSD-3-Clause */
/* Any number of ranks: MPI_Barrier and MPI_Allreduce of 8 bytes, the median of several batches on rank 0. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

static void barriers(long count) {
  for (long i = 0; i < count; ++i) MPI_Barrier(MPI_COMM_WORLD);
}

static void allreduces(long count) {
  double mine = 1, sum = 0;
  for (long i = 0; i < count; ++i) MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* Seconds of one call. Some libraries need milliseconds when ranks share cores, so the number of calls follows a trial. */
static double measure(void (*calls)(long)) {
  double times[kBatches];
  calls(5);
  double start = MPI_Wtime();
  calls(10);
  long count = repetitions((MPI_Wtime() - start) / 10, 0.03, 3, 20000);
  for (int batch = 0; batch < kBatches; ++batch) {
    start = MPI_Wtime();
    calls(count);
    times[batch] = (MPI_Wtime() - start) / (double)count;
  }
  return median(times, kBatches);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  double barrier = measure(barriers);
  double allreduce = measure(allreduces);
  if (rank == 0) {
    report("barrier", barrier * 1e6, "us");
    report("allreduce 8 B", allreduce * 1e6, "us");
  }
  MPI_Finalize();
  return 0;
}
