// SPDX-License-Identifier: BSD-3-Clause
// Latency and bandwidth between ranks 0 and 1, as a small table. Latency: half of the time for there and back. Bandwidth: a
// window of messages under way at once. Further ranks wait in a barrier.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kLargest = 4 << 20, kWindow = 32, kTag = 1 };

static char* buffer;

// Seconds for `times` round trips.
static double ping_pong(int rank, int bytes, int times) {
  int peer = 1 - rank;
  double start = MPI_Wtime();
  for (int i = 0; i < times; i++) {
    if (rank == 0) MPI_Send(buffer, bytes, MPI_CHAR, peer, kTag, MPI_COMM_WORLD);
    MPI_Recv(buffer, bytes, MPI_CHAR, peer, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(buffer, bytes, MPI_CHAR, peer, kTag, MPI_COMM_WORLD);
  }
  return MPI_Wtime() - start;
}

// Seconds for `times` windows of messages from rank 0 to rank 1, each answered by an empty message.
static double stream(int rank, int bytes, int times) {
  MPI_Request requests[kWindow];
  int peer = 1 - rank;
  double start = MPI_Wtime();
  for (int i = 0; i < times; i++) {
    for (int k = 0; k < kWindow; k++) {
      if (rank == 0) MPI_Isend(buffer, bytes, MPI_CHAR, peer, kTag, MPI_COMM_WORLD, &requests[k]);
      if (rank == 1) MPI_Irecv(buffer, bytes, MPI_CHAR, peer, kTag, MPI_COMM_WORLD, &requests[k]);
    }
    MPI_Waitall(kWindow, requests, MPI_STATUSES_IGNORE);
    if (rank == 1) MPI_Send(NULL, 0, MPI_CHAR, peer, kTag, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(NULL, 0, MPI_CHAR, peer, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return MPI_Wtime() - start;
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2) {
    fprintf(stderr, "latency_bandwidth needs two ranks\n");
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  buffer = calloc(kLargest, 1);
  if (!buffer) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);

  if (rank == 0) printf("%10s %14s %14s\n", "bytes", "latency (us)", "MB/s");
  for (int bytes = 1; bytes <= kLargest && rank < 2; bytes *= 4) {
    int times = bytes <= 4096 ? 20000 : bytes <= 65536 ? 2000 : 100, windows = times / 20;
    ping_pong(rank, bytes, times / 10);  // warms up: connections, caches, clocks
    double latency = ping_pong(rank, bytes, times) / times / 2;
    double bandwidth = (double)bytes * kWindow * windows / stream(rank, bytes, windows);
    if (rank == 0) printf("%10d %14.2f %14.1f\n", bytes, latency * 1e6, bandwidth / 1e6);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  free(buffer);
  MPI_Finalize();
  return 0;
}
