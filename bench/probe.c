/* SPDX-License-Identifier: BSD-3-Clause */
/* How far apart are two processors at this moment? Prints the nanoseconds that a cache line takes one way between the first two
 * processors we may use. A virtual machine's processors are moved by the host, so this changes within seconds. No MPI.
 *
 * probe [CPU CPU] */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { kBatches = 9, kRounds = 2000 };

static _Alignas(128) atomic_long line;

static void pin(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) {
    perror("probe: sched_setaffinity");
    exit(1);
  }
}

/* Answers every odd value by the next even one. */
static void* answer(void* cpu) {
  pin(*(int*)cpu);
  for (long expected = 1; expected < 2L * kBatches * kRounds; expected += 2) {
    while (atomic_load_explicit(&line, memory_order_acquire) != expected) continue;
    atomic_store_explicit(&line, expected + 1, memory_order_release);
  }
  return NULL;
}

static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static int compare_doubles(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void first_two(int cpus[2]) {
  cpu_set_t set;
  int found = 0;
  sched_getaffinity(0, sizeof set, &set);
  for (int cpu = 0; cpu < CPU_SETSIZE && found < 2; ++cpu)
    if (CPU_ISSET(cpu, &set)) cpus[found++] = cpu;
  if (found < 2) {
    fprintf(stderr, "probe: only one processor is available\n");
    exit(1);
  }
}

int main(int argc, char** argv) {
  int cpus[2];
  double times[kBatches];
  pthread_t partner;
  first_two(cpus);
  if (argc == 3) {
    cpus[0] = atoi(argv[1]);
    cpus[1] = atoi(argv[2]);
  }
  pin(cpus[0]);
  if (pthread_create(&partner, NULL, answer, &cpus[1]) != 0) return 1;
  long value = 0;
  for (int batch = 0; batch < kBatches; ++batch) {
    double start = nanoseconds();
    for (int round = 0; round < kRounds; ++round, value += 2) {
      atomic_store_explicit(&line, value + 1, memory_order_release);
      while (atomic_load_explicit(&line, memory_order_acquire) != value + 2) continue;
    }
    times[batch] = (nanoseconds() - start) / kRounds / 2;
  }
  pthread_join(partner, NULL);
  qsort(times, kBatches, sizeof *times, compare_doubles);
  printf("%.1f\n", times[kBatches / 2]);
  return 0;
}
