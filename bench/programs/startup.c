/* SPDX-License-Identifier: BSD-3-Clause */
/* Nothing but init and finalize, whose duration on the slowest rank is printed; the time from start to end of the launcher is
 * taken outside. A result is a line NAME <tab> VALUE <tab> UNIT. */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdio.h>
#include <time.h>

static double milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

int main(int argc, char** argv) {
  int rank;
  double mine = milliseconds(), slowest = 0;
  MPI_Init(&argc, &argv);
  mine = milliseconds() - mine;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("MPI_Init, slowest rank\t%.3f\tms\n", slowest);
  MPI_Finalize();
  return 0;
}
