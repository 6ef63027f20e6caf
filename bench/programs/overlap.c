/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of a non-blocking collective is hidden behind computation. Other than the suite's programs, which compute until the
 * clock says so, this one does a fixed piece of work: what a helper thread takes from the processor that computes shows up as
 * time.
 *
 * overlap [ROUNDS]    for any MPI; a line for each operation and size, in microseconds:
 *   pure      the operation alone, waited for at once
 *   work      the computation alone, as long as `pure`, on all ranks at the same time
 *   together  begun, computed, waited for
 *   overlap   (pure + work - together) / pure: 100% is all of it, 0% none */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kMost = 1 << 20, kBatches = 7 };

static int rank, size, rounds;
static char *in, *out;

typedef void Start(int bytes, MPI_Request* request);
static void start_allreduce(int bytes, MPI_Request* request) {
  MPI_Iallreduce(in, out, bytes / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD, request);
}
static void start_bcast(int bytes, MPI_Request* request) { MPI_Ibcast(out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD, request); }
static void start_alltoall(int bytes, MPI_Request* request) {
  MPI_Ialltoall(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, MPI_COMM_WORLD, request);
}

/* Work that stays in registers. */
static volatile unsigned sink;
static void work(long steps) {
  unsigned x = 1;
  for (long i = 0; i < steps; i++) x = x * 1664525u + 1013904223u;
  sink = x;
}

/* Seconds of a round, of the slowest rank: the median of some batches. `start` NULL: only the work. */
static double measure(Start* start, int bytes, long steps) {
  double samples[kBatches];
  for (int batch = 0; batch < kBatches; batch++) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    for (int i = 0; i < rounds; i++) {
      MPI_Request request = MPI_REQUEST_NULL;
      if (start) start(bytes, &request);
      if (steps) work(steps);
      if (start) MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    double seconds = (MPI_Wtime() - began) / rounds;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    int at = batch;
    for (; at > 0 && samples[at - 1] > seconds; at--) samples[at] = samples[at - 1];
    samples[at] = seconds;
  }
  return samples[kBatches / 2];
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    Start* start;
  } operations[] = {{"iallreduce", start_allreduce}, {"ibcast", start_bcast}, {"ialltoall", start_alltoall}};
  static const int sizes[] = {65536, kMost};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  rounds = argc > 1 ? atoi(argv[1]) : 200;
  in = calloc((size_t)size, kMost);
  out = calloc((size_t)size, kMost);
  if (!in || !out || rounds < 1) MPI_Abort(MPI_COMM_WORLD, 1);
  const long probe = 1 << 20;
  const double step = measure(NULL, 0, probe) / (double)probe;
  if (rank == 0) printf("# %-11s %8s %9s %9s %9s %8s\n", "operation", "bytes", "pure", "work", "together", "overlap");
  for (size_t o = 0; o < sizeof operations / sizeof *operations; o++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      const double pure = measure(operations[o].start, sizes[s], 0);
      long steps = (long)(pure / step) + 1;
      MPI_Bcast(&steps, 1, MPI_LONG, 0, MPI_COMM_WORLD);
      const double alone = measure(NULL, 0, steps), together = measure(operations[o].start, sizes[s], steps);
      if (rank == 0)
        printf("%-13s %8d %9.1f %9.1f %9.1f %7.0f%%\n", operations[o].name, sizes[s], pure * 1e6, alone * 1e6, together * 1e6,
               100 * (pure + alone - together) / pure);
    }
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
