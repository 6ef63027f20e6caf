/* SPDX-License-Identifier: BSD-3-Clause */
/* A slowdown in one path, to try the gate by hand: MPI_Send of at most SLOW_BYTES bytes takes SLOW_NS nanoseconds longer.
 *
 *   PREFIX/bin/mpicc -shared -fPIC -O2 slow_send.c -o slow_send.so
 *   NEW_TUNEVAR="LD_PRELOAD=$PWD/slow_send.so SLOW_NS=30 SLOW_BYTES=8192" bench/compare --new PREFIX --old PREFIX --gate 5:10
 * --suite p2p --np 2 */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

static long nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1000000000L * now.tv_sec + now.tv_nsec;
}

static long setting(const char* name) {
  const char* text = getenv(name);
  return text ? atol(text) : 0;
}

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int destination, int tag, MPI_Comm comm) {
  static long delay = -1, most = 0;
  int size = 0;
  if (delay < 0) {
    delay = setting("SLOW_NS");
    most = setting("SLOW_BYTES");
  }
  PMPI_Type_size(type, &size);
  if ((long)size * count <= most)
    for (long end = nanoseconds() + delay; nanoseconds() < end;) continue;
  return PMPI_Send(buffer, count, type, destination, tag, comm);
}
