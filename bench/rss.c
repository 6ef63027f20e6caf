/* SPDX-License-Identifier: BSD-3-Clause */
/* Resident memory of the largest rank after MPI_Init and a barrier. */
#include <mpi.h>
#include <stdio.h>

static long resident_kib(void) {
  char line[128];
  long kib = -1;
  FILE* file = fopen("/proc/self/status", "r");
  if (!file) return -1;
  while (fgets(line, sizeof line, file))
    if (sscanf(line, "VmRSS: %ld kB", &kib) == 1) break;
  fclose(file);
  return kib;
}

int main(int argc, char** argv) {
  int rank;
  long largest = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  long mine = resident_kib();
  MPI_Reduce(&mine, &largest, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("resident after init\t%ld\tKiB\n", largest);
  MPI_Finalize();
  return 0;
}
