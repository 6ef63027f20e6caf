// SPDX-License-Identifier: BSD-3-Clause
// A program that never calls MPI_Init: all communication goes through sessions, and MPI comes and goes several times.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#if MPI_VERSION >= 4

static int failures;

static void require(int condition, const char* text) {
  if (condition) return;
  failures++;
  fprintf(stderr, "not true: %s\n", text);
}

#define REQUIRE(condition) require(condition, #condition)

static int ring(MPI_Comm comm) {
  int rank, size, in = -1, sum = -1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &in, 1, MPI_INT, (rank + size - 1) % size, 0, comm, MPI_STATUS_IGNORE);
  REQUIRE(in == (rank + size - 1) % size);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
  REQUIRE(sum == size * (size - 1) / 2);
  MPI_Message message;
  MPI_Request request;
  MPI_Mprobe(MPI_PROC_NULL, 0, comm, &message, MPI_STATUS_IGNORE);
  MPI_Imrecv(&in, 1, MPI_INT, &message, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return rank;
}

int main(void) {
  int rank = 0, flag = -1;
  for (int round = 0; round < 3; round++) {
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm, dup;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Initialized(&flag);
    REQUIRE(flag == 0);  // that is about the world model only
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "test/sessions_only", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Group_free(&group);
    rank = ring(comm);
    MPI_Comm_dup(comm, &dup);
    ring(dup);
    MPI_Comm_free(&dup);
    int all = 0;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, comm);
    failures = all;
    MPI_Comm_free(&comm);
    MPI_Session_finalize(&session);
  }
  if (rank == 0) printf("%d passed, %d failed\n", failures == 0, failures != 0);
  return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

#else
int main(void) { return 0; }
#endif
