/* SPDX-License-Identifier: BSD-3-Clause */
/* What the small benchmarks share. A result is one line on stdout: NAME <tab> VALUE <tab> UNIT. */
#ifndef STARLING_BENCH_H
#define STARLING_BENCH_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kBatches = 11 };

static int compare_doubles(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* The middle of `count` values; sorts them. */
static double median(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare_doubles);
  return values[count / 2];
}

/* How often to repeat something that takes `seconds`, so that all of it takes about `budget` seconds. All ranks get rank 0's
 * answer: they have to agree. */
static long repetitions(double seconds, double budget, long least, long most) {
  long count = seconds > 0 ? (long)(budget / seconds) : most;
  if (count < least) count = least;
  if (count > most) count = most;
  MPI_Bcast(&count, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  return count;
}

static void report(const char* name, double value, const char* unit) {
  printf("%s\t%.4g\t%s\n", name, value, unit);
  fflush(stdout);
}

/* Memory on pages of its own, all of them touched. */
static char* buffer_of(size_t size) {
  void* memory = NULL;
  if (posix_memalign(&memory, 4096, size) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  for (size_t i = 0; i < size; ++i) ((char*)memory)[i] = (char)i;
  return memory;
}

#endif
