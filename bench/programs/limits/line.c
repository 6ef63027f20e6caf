/* SPDX-License-Identifier: BSD-3-Clause */
/* A cache line between two processors: how long it takes, and how many a second. */
#define _GNU_SOURCE
#include "limits.h"

enum { kBatches = 11, kRounds = 4000, kSlots = 64, kSpare = 16, kMessages = 500000 };

struct pair {
  LINE atomic_long ping;
  LINE atomic_long pong;
};

static void answer(void* argument) {
  struct pair* pair = argument;
  for (long i = 1; i <= (long)kBatches * kRounds; ++i) {
    await(&pair->ping, i);
    publish(&pair->pong, i);
  }
}

static void measure_ping_pong(void) {
  struct pair* pair = shared_memory(sizeof *pair);
  double times[kBatches];
  pid_t process = partner(second_cpu, answer, pair);
  long i = 0;
  for (int batch = 0; batch < kBatches; ++batch) {
    double start = seconds();
    for (int round = 0; round < kRounds; ++round) {
      publish(&pair->ping, ++i);
      await(&pair->pong, i);
    }
    times[batch] = (seconds() - start) / kRounds / 2;
  }
  join(process);
  report("cache line, one way", 0, median(times, kBatches) * 1e9, "ns");
  release(pair, sizeof *pair);
}

/* Slots of one line, each with a sequence number; the receiver returns them kSpare at a time. */
struct ring {
  struct {
    _Alignas(64) atomic_long sequence;
    long data;
  } slots[kSlots];
  LINE atomic_long taken;
};

static void consume(void* argument) {
  struct ring* ring = argument;
  for (long i = 0; i < kMessages; ++i) {
    await(&ring->slots[i % kSlots].sequence, i + 1);
    if (i % kSpare == kSpare - 1) publish(&ring->taken, i + 1);
  }
}

static void measure_rate(void) {
  struct ring* ring = shared_memory(sizeof *ring);
  pid_t process = partner(second_cpu, consume, ring);
  double start = 0;
  for (long i = 0; i < kMessages; ++i) {
    if (i == kMessages / 10) start = seconds();
    if (i % kSpare == 0)
      while (i - atomic_load_explicit(&ring->taken, memory_order_acquire) > kSlots - kSpare) relax();
    ring->slots[i % kSlots].data = i;
    publish(&ring->slots[i % kSlots].sequence, i + 1);
  }
  await(&ring->taken, kMessages);
  report("cache lines through a ring", 64, kMessages * 0.9 / (seconds() - start) / 1e6, "M/s");
  join(process);
  release(ring, sizeof *ring);
}

void measure_lines(void) {
  measure_ping_pong();
  measure_rate();
}
