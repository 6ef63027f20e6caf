/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a rank after MPI_Init, and after every rank has sent 1 KiB and 64 KiB to every other: proportional set size (a page
 * that several ranks map counts in shares), average of the ranks, and resident set size, largest rank. The program's own
 * buffers are in it, the same for every library. A result is a line NAME <tab> VALUE <tab> UNIT. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long kib_of(const char* path, const char* field) {
  char line[128];
  long kib = 0;
  FILE* file = fopen(path, "r");
  if (!file) return 0;
  while (fgets(line, sizeof line, file))
    if (strncmp(line, field, strlen(field)) == 0) kib = strtol(line + strlen(field), NULL, 10);
  fclose(file);
  return kib;
}

static void report(const char* when) {
  int rank, ranks;
  double share, average = 0;
  long resident, largest = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Barrier(MPI_COMM_WORLD); /* nobody has gone on or ended, whose share of a page the others would get */
  resident = kib_of("/proc/self/status", "VmRSS:");
  share = (double)kib_of("/proc/self/smaps_rollup", "Pss:");
  MPI_Reduce(&share, &average, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Reduce(&resident, &largest, 1, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("PSS %s\t%.0f\tKiB\n", when, average / ranks);
    printf("RSS %s\t%ld\tKiB\n", when, largest);
    fflush(stdout);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

static void everybody_to_everybody(int size) {
  int ranks;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char *from = calloc((size_t)ranks, (size_t)size), *to = calloc((size_t)ranks, (size_t)size);
  if (!from || !to) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < 10; ++i) MPI_Alltoall(from, size, MPI_CHAR, to, size, MPI_CHAR, MPI_COMM_WORLD);
  free(from);
  free(to);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  report("after MPI_Init");
  everybody_to_everybody(1 << 10);
  report("after all-to-all of 1 KiB");
  everybody_to_everybody(1 << 16);
  report("after all-to-all of 64 KiB");
  MPI_Finalize();
  return 0;
}
