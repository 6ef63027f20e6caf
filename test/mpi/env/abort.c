// SPDX-License-Identifier: BSD-3-Clause
// run: exit=7
// MPI_Abort in one rank, while the others wait for a message that never comes, ends the job with the code given.
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size, value;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == size - 1) MPI_Abort(MPI_COMM_WORLD, 7);
  MPI_Recv(&value, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  fprintf(stderr, "still alive\n");
  MPI_Finalize();
  return 0;
}
