/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded below the benchmarks by the suite `omb`: an MPI that is wrong, and a host that looks like several.
 *   OMB_SPOIL_SIZE=N   a received message of N bytes has its first byte changed
 *   OMB_NODES=N        ranks call their hosts node0 ... in N equal blocks
 *   OMB_BARRIER_US=N   a barrier takes N microseconds more, less than a million */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int MPI_Recv(void* buffer, int count, MPI_Datatype type, int source, int tag, MPI_Comm comm, MPI_Status* status) {
  const char* spoil = getenv("OMB_SPOIL_SIZE");
  int code = PMPI_Recv(buffer, count, type, source, tag, comm, status), size;
  PMPI_Type_size(type, &size);
  if (spoil && count * size == atoi(spoil) && count > 0) ++*(char*)buffer;
  return code;
}

int MPI_Get_processor_name(char* name, int* length) {
  const char* nodes = getenv("OMB_NODES");
  int rank, ranks;
  if (!nodes) return PMPI_Get_processor_name(name, length);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  *length = snprintf(name, MPI_MAX_PROCESSOR_NAME, "node%d", rank * atoi(nodes) / ranks);
  return MPI_SUCCESS;
}

int MPI_Barrier(MPI_Comm comm) {
  const char* more = getenv("OMB_BARRIER_US");
  if (more) nanosleep(&(struct timespec){0, atol(more) * 1000}, NULL);
  return PMPI_Barrier(comm);
}
