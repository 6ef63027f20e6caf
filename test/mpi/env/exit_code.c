// SPDX-License-Identifier: BSD-3-Clause
// run: exit=5
// The exit code of a rank becomes that of the job.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Finalize();
  return rank == size / 2 ? 5 : 0;
}
