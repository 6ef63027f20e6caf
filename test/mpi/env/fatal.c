// SPDX-License-Identifier: BSD-3-Clause
// run: exit=nonzero
// The default error handler ends the job: a wrong tag in the last rank, the others in a barrier.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size, value = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == size - 1) MPI_Send(&value, 1, MPI_INT, 0, -7, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) fprintf(stderr, "still alive\n");
  MPI_Finalize();
  return 0;
}
