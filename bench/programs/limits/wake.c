/* SPDX-License-Identifier: BSD-3-Clause */
/* What it costs to give the processor to another process, and to start one. */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "limits.h"

enum { kRounds = 2000, kYields = 20000 };

static void sleep_while(atomic_int* word, int value) { syscall(SYS_futex, word, FUTEX_WAIT, value, NULL, NULL, 0); }
static void wake(atomic_int* word) { syscall(SYS_futex, word, FUTEX_WAKE, 1, NULL, NULL, 0); }

struct bells {
  LINE atomic_int ping;
  LINE atomic_int pong;
};

static void ring_bell(atomic_int* bell, int value) {
  atomic_store(bell, value);
  wake(bell);
}

static void await_bell(atomic_int* bell, int value) {
  while (atomic_load(bell) != value) sleep_while(bell, value - 1);
}

static void answer_bell(void* argument) {
  struct bells* bells = argument;
  for (int i = 1; i <= kRounds; ++i) {
    await_bell(&bells->ping, i);
    ring_bell(&bells->pong, i);
  }
}

static void measure_futex(const char* name, int cpu) {
  struct bells* bells = shared_memory(sizeof *bells);
  pid_t process = partner(cpu, answer_bell, bells);
  double start = 0;
  for (int i = 1; i <= kRounds; ++i) {
    if (i == kRounds / 10) start = seconds();
    ring_bell(&bells->ping, i);
    await_bell(&bells->pong, i);
  }
  report(name, 0, (seconds() - start) / (kRounds * 0.9) / 2 * 1e6, "us");
  join(process);
  release(bells, sizeof *bells);
}

static void yield_often(void* unused) {
  (void)unused;
  for (int i = 0; i < kYields; ++i) sched_yield();
}

static void measure_yields(void) {
  double start = seconds();
  yield_often(NULL);
  report("sched_yield, nobody else", 0, (seconds() - start) / kYields * 1e6, "us");
  start = seconds();
  pid_t process = partner(first_cpu, yield_often, NULL);
  yield_often(NULL);
  join(process);
  report("sched_yield to a neighbour", 0, (seconds() - start) / kYields / 2 * 1e6, "us");
}

void measure_wakes(void) {
  measure_futex("futex wake, same processor", first_cpu);
  if (first_cpu != second_cpu) measure_futex("futex wake, other processor", second_cpu);
  measure_yields();
}

/* Starting and ending processes that do nothing: below this no launcher can be. */
void measure_starts(void) {
  static const int counts[] = {1, 2, 4, 8, 16, 32, 64};
  enum { kBatches = 5, kLargest = 64 };
  static char program[] = "/bin/true";
  char* argv[] = {program, NULL};
  char* environment[] = {NULL};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
    double times[kBatches];
    for (int batch = 0; batch < kBatches; ++batch) {
      pid_t processes[kLargest];
      double start = seconds();
      for (int j = 0; j < counts[i]; ++j)
        if (posix_spawn(&processes[j], program, NULL, NULL, argv, environment) != 0) {
          fprintf(stderr, "limits: cannot start %s\n", program);
          exit(1);
        }
      for (int j = 0; j < counts[i]; ++j) waitpid(processes[j], NULL, 0);
      times[batch] = seconds() - start;
    }
    report("processes that end at once", (size_t)counts[i], median(times, kBatches) * 1e3, "ms");
  }
}
