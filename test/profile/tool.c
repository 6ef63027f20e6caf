// SPDX-License-Identifier: BSD-3-Clause
// A tool as others write them: a library in front of MPI that counts MPI_Allreduce and MPI_Comm_set_attr, and tells at the end.
// NAME tells several apart. With POINTER it reaches MPI through a constant of its data, which the dynamic linker makes
// read-only; without ALLREDUCE it does not count.
#include <mpi.h>
#include <stdio.h>

#ifndef NAME
#define NAME "tool"
#endif

static int count, attributes;

#ifdef POINTER
static int (*const allreduce)(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm) = PMPI_Allreduce;
#else
#define allreduce PMPI_Allreduce
#endif

#ifndef NO_ALLREDUCE
int MPI_Allreduce(const void* sendbuf, void* recvbuf, int n, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  ++count;
  return allreduce(sendbuf, recvbuf, n, datatype, op, comm);
}
#endif

int MPI_Comm_set_attr(MPI_Comm comm, int keyval, void* value) {
  ++attributes;
  return PMPI_Comm_set_attr(comm, keyval, value);
}

int MPI_Finalize(void) {
  printf("%s counted %d\n%s saw %d attributes\n", NAME, count, NAME, attributes);
  fflush(stdout);
  return PMPI_Finalize();
}
