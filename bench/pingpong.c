/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ranks: latency (half a round trip), bandwidth (windows of messages one way) and message rate. The median of several
 * batches. */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

enum { kWindow = 64, kLargest = 1 << 20 };

static void ping_pong(char* buffer, int size, int rank, long count) {
  for (long i = 0; i < count; ++i) {
    if (rank == 0) {
      MPI_Send(buffer, size, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
      MPI_Recv(buffer, size, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
      MPI_Recv(buffer, size, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(buffer, size, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    }
  }
}

/* Rank 0 sends `count` windows; an answer of no bytes ends each. */
static void stream(char* buffer, int size, int rank, long count) {
  MPI_Request requests[kWindow];
  for (long i = 0; i < count; ++i) {
    for (int j = 0; j < kWindow; ++j) {
      if (rank == 0)
        MPI_Isend(buffer, size, MPI_CHAR, 1, 2, MPI_COMM_WORLD, &requests[j]);
      else
        MPI_Irecv(buffer, size, MPI_CHAR, 0, 2, MPI_COMM_WORLD, &requests[j]);
    }
    MPI_Waitall(kWindow, requests, MPI_STATUSES_IGNORE);
    if (rank == 0)
      MPI_Recv(NULL, 0, MPI_CHAR, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
      MPI_Send(NULL, 0, MPI_CHAR, 0, 3, MPI_COMM_WORLD);
  }
}

typedef void Pattern(char*, int, int, long);

/* Seconds of one repetition. */
static double measure(Pattern* pattern, char* buffer, int size, int rank) {
  double times[kBatches];
  pattern(buffer, size, rank, 5);
  double start = MPI_Wtime();
  pattern(buffer, size, rank, 20);
  long count = repetitions((MPI_Wtime() - start) / 20, 0.03, 3, 100000);
  for (int batch = 0; batch < kBatches; ++batch) {
    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    pattern(buffer, size, rank, count);
    times[batch] = (MPI_Wtime() - start) / (double)count;
  }
  return median(times, kBatches);
}

int main(int argc, char** argv) {
  static const int latency_sizes[] = {0, 8, 1024, 65536, 1 << 20};
  static const int bandwidth_sizes[] = {1024, 65536, 1 << 20};
  char name[64];
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks != 2) {
    if (rank == 0) fprintf(stderr, "pingpong: needs 2 ranks, not %d\n", ranks);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  char* buffer = buffer_of(kLargest);
  for (size_t i = 0; i < sizeof latency_sizes / sizeof *latency_sizes; ++i) {
    double seconds = measure(ping_pong, buffer, latency_sizes[i], rank);
    snprintf(name, sizeof name, "latency %d B", latency_sizes[i]);
    if (rank == 0) report(name, seconds / 2 * 1e6, "us");
  }
  for (size_t i = 0; i < sizeof bandwidth_sizes / sizeof *bandwidth_sizes; ++i) {
    double seconds = measure(stream, buffer, bandwidth_sizes[i], rank);
    snprintf(name, sizeof name, "bandwidth %d B", bandwidth_sizes[i]);
    if (rank == 0) report(name, (double)bandwidth_sizes[i] * kWindow / seconds / 1e9, "GB/s");
  }
  double seconds = measure(stream, buffer, 8, rank);
  if (rank == 0) report("message rate 8 B", kWindow / seconds / 1e6, "M/s");
  free(buffer);
  MPI_Finalize();
  return 0;
}
