/* SPDX-License-Identifier: BSD-3-Clause */
/* Nothing but init and finalize: compare.py times mpiexec from start to end. */
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Finalize();
  return 0;
}
