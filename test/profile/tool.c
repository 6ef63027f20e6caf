// SPDX-License-Identifier: BSD-3-Clause
// A tool as others write them: a library in front of MPI that counts MPI_Allreduce and tells at the end.
#include <mpi.h>
#include <stdio.h>

static int count;

int MPI_Allreduce(const void* sendbuf, void* recvbuf, int n, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  ++count;
  return PMPI_Allreduce(sendbuf, recvbuf, n, datatype, op, comm);
}

int MPI_Finalize(void) {
  printf("tool counted %d\n", count);
  fflush(stdout);
  return PMPI_Finalize();
}
