/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the limits program share. A result is one line on stdout: NAME <tab> SIZE <tab> VALUE <tab> UNIT, where the
 * size is 0 for what has none. All of it runs on two processors, first_cpu and second_cpu; a partner is a forked process on the
 * second. */
#ifndef STARLING_LIMITS_H
#define STARLING_LIMITS_H

#include <stdatomic.h>
#include <stddef.h>
#include <sys/types.h>

#define LINE _Alignas(128) /* two lines: the neighbour is fetched along */

extern int first_cpu, second_cpu; /* equal if there is only one */

double seconds(void);
void pin(int cpu);
void report(const char* name, size_t size, double value, const char* unit);
double median(double* values, int count); /* sorts them */

void* shared_memory(size_t size);  /* zeroed, stays mapped in children */
void* private_memory(size_t size); /* touched */
void release(void* memory, size_t size);

/* Runs `body(argument)` in a new process on `cpu`; `join` waits for it. */
pid_t partner(int cpu, void (*body)(void*), void* argument);
void join(pid_t process);

static inline void relax(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield" ::: "memory");
#elif defined(__powerpc64__)
  __asm__ volatile("or 27,27,27" ::: "memory");
#endif
}

/* Waits until a counter that only its partner writes has this value. */
static inline void await(atomic_long* counter, long value) {
  while (atomic_load_explicit(counter, memory_order_acquire) != value) relax();
}

static inline void publish(atomic_long* counter, long value) { atomic_store_explicit(counter, value, memory_order_release); }

/* The parts, each in a file of its own. */
void measure_lines(void);
void measure_memcpy(void);
void measure_sums(void);
void measure_kernel_copies(void);
void measure_mapped_copies(void);
void measure_ring_copies(void);
void measure_wakes(void);
void measure_tcp(void);
void measure_starts(void);

#endif
