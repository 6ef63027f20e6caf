/* SPDX-License-Identifier: BSD-3-Clause */
/* Which processors each rank may use, as the launcher has bound it: one line on rank 0, ranks separated by blanks ("0 1", "0-1
 * 0-1"). */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>

enum { kLength = 256 };

/* 0-3,8 of a set. */
static void list(const cpu_set_t* set, char text[kLength]) {
  size_t used = 0;
  text[0] = '\0';
  for (int cpu = 0; cpu < CPU_SETSIZE && used < kLength - 24; ++cpu) {
    if (!CPU_ISSET(cpu, set)) continue;
    int last = cpu;
    while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, set)) ++last;
    used += (size_t)snprintf(text + used, kLength - used, used ? ",%d" : "%d", cpu);
    if (last > cpu) used += (size_t)snprintf(text + used, kLength - used, "-%d", last);
    cpu = last;
  }
}

int main(int argc, char** argv) {
  int rank, ranks;
  char text[kLength];
  cpu_set_t set;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  sched_getaffinity(0, sizeof set, &set);
  list(&set, text);
  if (rank > 0) MPI_Send(text, kLength, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
  for (int other = 0; rank == 0 && other < ranks; ++other) {
    if (other > 0) MPI_Recv(text, kLength, MPI_CHAR, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf(other + 1 < ranks ? "%s " : "%s\n", text);
  }
  MPI_Finalize();
  return 0;
}
