/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of the machine at this moment, in a few milliseconds; no MPI. Prints two numbers:
 *
 *   the nanoseconds that a cache line takes one way between two processors (0 if there is only one): a virtual machine's
 * processors are moved by its host, so this changes within seconds; the microseconds of a fixed piece of work, the slower of
 * the two processors: it shows a changed clock and a neighbour that shares the core.
 *
 * Medians of batches, so that being interrupted now and then does not count. On a machine so busy that the two threads hardly
 * ever run at the same time it ends after some milliseconds with the batches it has.
 *
 * probe [CPU CPU]    the first two processors that we may use, if none are named */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { kBatches = 11, kRounds = 1000, kSteps = 100000, kMostNanoseconds = 30000000, kEnd = -1 };

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

static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static int compare_doubles(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* times, int count) {
  qsort(times, (size_t)count, sizeof *times, compare_doubles);
  return times[count / 2];
}

/* Each step needs the one before: no compiler and no processor can shorten it. */
static double work(void) {
  double times[kBatches];
  uint64_t value = 1;
  for (int batch = 0; batch < kBatches; ++batch) {
    double start = nanoseconds();
    for (int step = 0; step < kSteps; ++step) value = value * 6364136223846793005u + 1442695040888963407u;
    __asm__ volatile("" ::"r"(value)); /* used: the loop stays */
    times[batch] = (nanoseconds() - start) / 1e3;
  }
  return median(times, kBatches);
}

struct partner {
  int cpu;
  double work;
};

/* Answers every odd value by the next even one, until the end. */
static void* answer(void* argument) {
  struct partner* self = argument;
  pin(self->cpu);
  self->work = work();
  for (long value = 0; value != kEnd;) {
    value = atomic_load_explicit(&line, memory_order_acquire);
    if (value % 2 == 1) atomic_store_explicit(&line, value + 1, memory_order_release);
  }
  return NULL;
}

static double cross(void) {
  double times[kBatches];
  double first = nanoseconds();
  long value = 0;
  int batch = 0;
  while (batch < kBatches && (batch == 0 || nanoseconds() - first < kMostNanoseconds)) {
    double start = nanoseconds();
    int round = 0;
    for (; round < kRounds; ++round, value += 2) {
      atomic_store_explicit(&line, value + 1, memory_order_release);
      while (atomic_load_explicit(&line, memory_order_acquire) != value + 2) continue;
      if (round % 64 == 63 && nanoseconds() - start > kMostNanoseconds) break;
    }
    times[batch++] = (nanoseconds() - start) / (round < kRounds ? round + 1 : kRounds) / 2;
    if (round < kRounds) value += 2;
  }
  atomic_store_explicit(&line, kEnd, memory_order_release);
  return median(times, batch);
}

static int first_two(int cpus[2]) {
  cpu_set_t set;
  int found = 0;
  sched_getaffinity(0, sizeof set, &set);
  for (int cpu = 0; cpu < CPU_SETSIZE && found < 2; ++cpu)
    if (CPU_ISSET(cpu, &set)) cpus[found++] = cpu;
  return found;
}

int main(int argc, char** argv) {
  int cpus[2] = {0, 0};
  int count = first_two(cpus);
  if (argc == 3) {
    cpus[0] = atoi(argv[1]);
    cpus[1] = atoi(argv[2]);
    count = 2;
  }
  pin(cpus[0]);
  if (count < 2) {
    printf("0 %.2f\n", work());
    return 0;
  }
  struct partner other = {cpus[1], 0};
  pthread_t thread;
  if (pthread_create(&thread, NULL, answer, &other) != 0) return 1;
  double mine = work(), nanoseconds_one_way = cross();
  pthread_join(thread, NULL);
  printf("%.1f %.2f\n", nanoseconds_one_way, mine > other.work ? mine : other.work);
  return 0;
}
