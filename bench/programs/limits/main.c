/* SPDX-License-Identifier: BSD-3-Clause */
/* The physical limits of this machine for processes that exchange data. No MPI.
 *
 * limits [PART...]    all parts, or some of: line memcpy sum kernel mapped ring wake tcp start */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "limits.h"

int first_cpu, second_cpu;

double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void pin(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) {
    perror("limits: sched_setaffinity");
    exit(1);
  }
}

void report(const char* name, size_t size, double value, const char* unit) {
  printf("%s\t%zu\t%.6g\t%s\n", name, size, value, unit);
  fflush(stdout);
}

static int compare_doubles(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

double median(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare_doubles);
  return values[count / 2];
}

static void* map(size_t size, int how) {
  void* memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | how, -1, 0);
  if (memory == MAP_FAILED) {
    perror("limits: mmap");
    exit(1);
  }
  return memory;
}

void* shared_memory(size_t size) {
  void* memory = map(size, MAP_SHARED);
  memset(memory, 0, size);
  return memory;
}

void* private_memory(size_t size) {
  void* memory = map(size, MAP_PRIVATE);
  memset(memory, 1, size);
  return memory;
}

void release(void* memory, size_t size) { munmap(memory, size); }

pid_t partner(int cpu, void (*body)(void*), void* argument) {
  fflush(stdout);
  pid_t parent = getpid();
  pid_t process = fork();
  if (process < 0) {
    perror("limits: fork");
    exit(1);
  }
  if (process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* a partner that spins must not outlive an interrupted measurement */
    if (getppid() != parent) _exit(1);
    pin(cpu);
    body(argument);
    _exit(0);
  }
  return process;
}

void join(pid_t process) { waitpid(process, NULL, 0); }

static void find_cpus(void) {
  cpu_set_t set;
  int found = 0;
  sched_getaffinity(0, sizeof set, &set);
  for (int cpu = 0; cpu < CPU_SETSIZE && found < 2; ++cpu) {
    if (!CPU_ISSET(cpu, &set)) continue;
    if (found++ == 0) first_cpu = cpu;
    second_cpu = cpu;
  }
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    void (*measure)(void);
    int needs_two; /* partners that spin for each other take turns of milliseconds on one processor */
  } parts[] = {
      {"line", measure_lines, 1},
      {"memcpy", measure_memcpy, 0},
      {"sum", measure_sums, 0},
      {"kernel", measure_kernel_copies, 1},
      {"mapped", measure_mapped_copies, 1},
      {"ring", measure_ring_copies, 1},
      {"wake", measure_wakes, 0},
      {"tcp", measure_tcp, 1},
      {"start", measure_starts, 0},
  };
  find_cpus();
  pin(first_cpu);
  for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) {
    int chosen = argc == 1;
    for (int j = 1; j < argc; ++j) chosen |= strcmp(argv[j], parts[i].name) == 0;
    if (chosen && parts[i].needs_two && first_cpu == second_cpu)
      fprintf(stderr, "limits: %s needs two processors\n", parts[i].name);
    else if (chosen)
      parts[i].measure();
  }
  return 0;
}
