/* SPDX-License-Identifier: BSD-3-Clause */
/* What one processor does alone: copying, and adding as a reduction does. */
#define _GNU_SOURCE
#include <string.h>

#include "limits.h"

enum { kBatches = 9 };
static const size_t kSizes[] = {1 << 10, 1 << 13, 1 << 16, 1 << 18, 1 << 20, 4 << 20, 16 << 20};

/* The compiler must believe that the copy is used. */
static void use(void* memory) { __asm__ volatile("" ::"r"(memory) : "memory"); }

static void copy(void* to, const void* from, size_t size) { memcpy(to, from, size); }

static void add(void* to, const void* from, size_t size) {
  double* restrict sum = to;
  const double* restrict more = from;
  for (size_t i = 0; i < size / sizeof *sum; ++i) sum[i] += more[i];
}

static void measure(const char* name, void (*work)(void*, const void*, size_t)) {
  for (size_t i = 0; i < sizeof kSizes / sizeof *kSizes; ++i) {
    size_t size = kSizes[i];
    char *to = private_memory(size), *from = private_memory(size);
    double rates[kBatches];
    memset(to, 0, size);
    memset(from, 0, size);
    int count = (int)(4e7 / (double)size) + 1;
    work(to, from, size);
    for (int batch = 0; batch < kBatches; ++batch) {
      double start = seconds();
      for (int j = 0; j < count; ++j) {
        work(to, from, size);
        use(to);
      }
      rates[batch] = (double)size * count / (seconds() - start) / 1e9;
    }
    report(name, size, median(rates, kBatches), "GB/s");
    release(to, size);
    release(from, size);
  }
}

void measure_memcpy(void) { measure("memcpy, one processor", copy); }
void measure_sums(void) { measure("sum of doubles, one processor", add); }
