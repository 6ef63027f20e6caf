/* SPDX-License-Identifier: BSD-3-Clause */
/* How much of a non-blocking collective is hidden behind computation. Other than the suite's programs, which compute until the
 * clock says so, this one does a fixed piece of work: what a helper thread takes from the processor that computes shows up as
 * time.
 *
 * overlap [ROUNDS [short|long|idle]]    for any MPI; a line for each operation and size, in microseconds:
 *   pure      the operation alone, waited for at once
 *   work      the computation alone, on all ranks at the same time: as long as `pure` (short), or 20 ms (long); or it is done
 *             by something else, as by an accelerator: the rank sleeps for `pure` and another 200 us (idle)
 *   together  begun, computed, waited for
 *   calls     of that in the two calls; the median of all rounds
 *   overlap   (pure + work - together) / pure: 100% is all of it, 0% none. Where the work is so much longer than the operation
 *             that the difference says nothing (long, idle): (pure - calls) / pure, as the suite defines it
 * Each is that of the slowest rank. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kMost = 1 << 20, kBatches = 7, kMostRounds = 10000 };
enum Mode { kShort, kLong, kIdle };

static int rank, size, rounds;
static enum Mode mode;
static char *in, *out;
static double in_calls[kMostRounds];

typedef void Start(int bytes, MPI_Request* request);
static void start_allreduce(int bytes, MPI_Request* request) {
  MPI_Iallreduce(in, out, bytes / 4, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD, request);
}
static void start_bcast(int bytes, MPI_Request* request) { MPI_Ibcast(out, bytes, MPI_BYTE, 0, MPI_COMM_WORLD, request); }
static void start_alltoall(int bytes, MPI_Request* request) {
  MPI_Ialltoall(in, bytes, MPI_BYTE, out, bytes, MPI_BYTE, MPI_COMM_WORLD, request);
}

/* Work that stays in registers; or sleep, a nanosecond for each step. */
static volatile unsigned sink;
static void work(long steps) {
  if (mode == kIdle) {
    const struct timespec time = {steps / 1000000000, steps % 1000000000};
    nanosleep(&time, NULL);
    return;
  }
  unsigned x = 1;
  for (long i = 0; i < steps; i++) x = x * 1664525u + 1013904223u;
  sink = x;
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}
static double median(double* values, int n) {
  qsort(values, (size_t)n, sizeof *values, ascending);
  return values[n / 2];
}
static double slowest(double seconds) {
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return seconds;
}

struct Times {
  double round, calls; /* seconds */
};

/* The median of some batches of rounds. `start` NULL: only the work. */
static struct Times measure(Start* start, int bytes, long steps) {
  double whole[kBatches], calls[kBatches];
  for (int batch = 0; batch < kBatches; batch++) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = MPI_Wtime();
    for (int i = 0; i < rounds; i++) {
      MPI_Request request = MPI_REQUEST_NULL;
      const double called = MPI_Wtime();
      if (start) start(bytes, &request);
      const double started = MPI_Wtime();
      if (steps) work(steps);
      const double worked = MPI_Wtime();
      if (start) MPI_Wait(&request, MPI_STATUS_IGNORE);
      in_calls[i] = MPI_Wtime() - worked + started - called;
    }
    whole[batch] = slowest((MPI_Wtime() - began) / rounds);
    calls[batch] = slowest(median(in_calls, rounds));
  }
  return (struct Times){median(whole, kBatches), median(calls, kBatches)};
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    Start* start;
  } operations[] = {{"iallreduce", start_allreduce}, {"ibcast", start_bcast}, {"ialltoall", start_alltoall}};
  static const int sizes[] = {65536, kMost};
  static const char* const modes[] = {"short", "long", "idle"};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  rounds = argc > 1 ? atoi(argv[1]) : 200;
  while (argc > 2 && mode <= kIdle && strcmp(argv[2], modes[mode]) != 0) mode++;
  in = calloc((size_t)size, kMost);
  out = calloc((size_t)size, kMost);
  if (!in || !out || rounds < 1 || rounds > kMostRounds || mode > kIdle) MPI_Abort(MPI_COMM_WORLD, 1);
  const long probe = 1 << 20;
  const double step = mode == kIdle ? 1e-9 : measure(NULL, 0, probe).round / (double)probe;
  if (rank == 0)
    printf("# %-11s %8s %9s %9s %9s %9s %8s\n", "operation", "bytes", "pure", "work", "together", "calls", "overlap");
  for (size_t o = 0; o < sizeof operations / sizeof *operations; o++)
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
      const double pure = measure(operations[o].start, sizes[s], 0).round;
      const double wanted = mode == kLong ? 20e-3 : mode == kIdle ? pure + 200e-6 : pure;
      long steps = (long)(wanted / step) + 1;
      MPI_Bcast(&steps, 1, MPI_LONG, 0, MPI_COMM_WORLD);
      const double alone = measure(NULL, 0, steps).round;
      const struct Times together = measure(operations[o].start, sizes[s], steps);
      const double hidden = mode == kShort ? pure + alone - together.round : pure - together.calls;
      if (rank == 0)
        printf("%-13s %8d %9.1f %9.1f %9.1f %9.1f %7.0f%%\n", operations[o].name, sizes[s], pure * 1e6, alone * 1e6,
               together.round * 1e6, together.calls * 1e6, 100 * hidden / pure);
    }
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
