// SPDX-License-Identifier: BSD-3-Clause
// Sends a known number of messages of known sizes, so that every count in the profile can be checked. Needs 2 ranks or more.
// Rank 0 sends to rank 1: 3 x 1 int, 2 x 100 doubles (one by a persistent request), 1 x 0 bytes, and 5 x 3 of a derived type of
// 2 floats by MPI_Isend. Rank 1 receives some from any source, some in reverse order of tags, some after MPI_Probe, one after
// MPI_Mprobe. All ranks: 7 x MPI_Allreduce of 4 doubles, 1 x MPI_Alltoall of 2 ints for each. With "abort" as argument, rank 1
// then calls MPI_Abort; with "stop", it waits to be killed while the others are in MPI_Barrier.
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static double data[200], more[200];

static void send_all(void) {
  MPI_Datatype pair;
  MPI_Request requests[5], again;
  MPI_Type_contiguous(2, MPI_FLOAT, &pair);
  MPI_Type_commit(&pair);
  for (int i = 0; i < 3; ++i) MPI_Send(data, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
  MPI_Send(data, 100, MPI_DOUBLE, 1, 10, MPI_COMM_WORLD);
  MPI_Send_init(data, 100, MPI_DOUBLE, 1, 10, MPI_COMM_WORLD, &again);
  MPI_Start(&again);
  MPI_Wait(&again, MPI_STATUS_IGNORE);
  MPI_Request_free(&again);
  MPI_Send(data, 0, MPI_BYTE, 1, 11, MPI_COMM_WORLD);
  for (int i = 0; i < 5; ++i) MPI_Isend(data, 3, pair, 1, 12, MPI_COMM_WORLD, &requests[i]);
  MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
  MPI_Send(data, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
  MPI_Type_free(&pair);
}

static void receive_all(void) {
  MPI_Status status;
  MPI_Message message;
  MPI_Request request;
  int flag = 0;
  for (int i = 2; i >= 0; --i) MPI_Recv(data, 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  MPI_Recv(data, 100, MPI_DOUBLE, 0, status.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Mprobe(MPI_ANY_SOURCE, 10, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
  MPI_Mrecv(data, 100, MPI_DOUBLE, &message, MPI_STATUS_IGNORE);
  MPI_Irecv(data, 0, MPI_BYTE, 0, 11, MPI_COMM_WORLD, &request);
  while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  for (int i = 0; i < 5; ++i) MPI_Recv(data, 6, MPI_FLOAT, 0, 12, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  int rank, two[64] = {0}, back[64];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) send_all();
  if (rank == 1) receive_all();
  for (int i = 0; i < 7; ++i) MPI_Allreduce(data, more, 4, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Alltoall(two, 2, MPI_INT, back, 2, MPI_INT, MPI_COMM_WORLD);
  if (argc > 1) MPI_Barrier(MPI_COMM_WORLD);  // by now all have written down what they did before
  if (argc > 1 && rank == 1 && !strcmp(argv[1], "abort")) MPI_Abort(MPI_COMM_WORLD, 3);
  if (argc > 1 && rank == 1 && !strcmp(argv[1], "stop")) {
    printf("process %d\n", (int)getpid());
    fflush(stdout);
    for (;;) pause();
  }
  if (argc > 1) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
