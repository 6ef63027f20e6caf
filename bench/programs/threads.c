/* SPDX-License-Identifier: BSD-3-Clause */
/* Message rate of threads that have nothing to do with each other: each sends messages of 8 bytes to its own process, on a
 * communicator of its own. What a library makes them share shows as the lack of a gain.
 *
 * threads [MOST]    for any MPI with MPI_THREAD_MULTIPLE, 1 rank; MOST threads at most (2 by default). A line for each number
 * of threads: million messages a second of all together, the median of some batches, and how many times that of one thread. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMost = 64, kBatches = 7, kMessages = 200000 };

static int rank;
static MPI_Comm comms[kMost];

static void* exchange(void* comm) {
  char in[8], out[8] = {0};
  for (int i = 0; i < kMessages; i++) {
    MPI_Request requests[2];
    MPI_Irecv(in, sizeof in, MPI_BYTE, rank, 0, *(MPI_Comm*)comm, &requests[0]);
    MPI_Isend(out, sizeof out, MPI_BYTE, rank, 0, *(MPI_Comm*)comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  return NULL;
}

static double million_a_second(int threads) {
  pthread_t ids[kMost];
  const double began = MPI_Wtime();
  for (int i = 0; i < threads; i++) pthread_create(&ids[i], NULL, exchange, &comms[i]);
  for (int i = 0; i < threads; i++) pthread_join(ids[i], NULL);
  return 1e-6 * threads * kMessages / (MPI_Wtime() - began);
}

int main(int argc, char** argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int most = argc > 1 ? atoi(argv[1]) : 2;
  if (provided < MPI_THREAD_MULTIPLE || most < 1 || most > kMost) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < most; i++) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
  double one = 0;
  for (int threads = 1; threads <= most; threads++) {
    double rates[kBatches];
    for (int batch = 0; batch < kBatches; batch++) {
      const double rate = million_a_second(threads);
      int at = batch;
      for (; at > 0 && rates[at - 1] > rate; at--) rates[at] = rates[at - 1];
      rates[at] = rate;
    }
    const double rate = rates[kBatches / 2];
    if (threads == 1) one = rate;
    if (rank == 0) printf("%2d threads %8.2f million messages a second, %.2f times one thread\n", threads, rate, rate / one);
  }
  for (int i = 0; i < most; i++) MPI_Comm_free(&comms[i]);
  MPI_Finalize();
  return 0;
}
