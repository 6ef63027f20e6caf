/* SPDX-License-Identifier: BSD-3-Clause */
/* A message from one process to another, by each way there is: copied by the kernel (process_vm_readv), read from memory that
 * both map, read and written by both at once, and copied twice through a ring. The owner writes the message anew each time, as
 * programs do. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>

#include "limits.h"

enum { kMost = 200 };
static const size_t kSizes[] = {1 << 10, 1 << 13, 1 << 16, 1 << 18, 1 << 20, 4 << 20, 16 << 20};
enum { kSizeCount = sizeof kSizes / sizeof *kSizes };

static int repetitions(size_t size) {
  size_t count = (size_t)(128 << 20) / size;
  return count > kMost ? kMost : (int)count;
}

/* The owner of a message writes it when told, and copies the part [from, size) of it to `target` when told. */
struct owner {
  LINE atomic_long order; /* even: write; odd: copy; -1: leave */
  LINE atomic_long done;
  char* message;
  char* target;
  size_t size, from;
};

static void own(void* argument) {
  struct owner* owner = argument;
  char* private = owner->message ? NULL : private_memory(owner->size);
  if (private) owner->message = private;
  publish(&owner->done, 1);
  for (long last = 1;;) {
    long order;
    while ((order = atomic_load_explicit(&owner->order, memory_order_acquire)) == last || order == 0) relax();
    if (order < 0) return;
    if (order % 2 == 0)
      memset(owner->message, (int)order, owner->size);
    else
      memcpy(owner->target + owner->from, owner->message + owner->from, owner->size - owner->from);
    publish(&owner->done, last = order);
  }
}

static void command(struct owner* owner, long order) { publish(&owner->order, order); }

static void copy_by_kernel(struct owner* owner, pid_t process, char* to, size_t size) {
  struct iovec local = {to, size}, remote = {owner->message, size};
  if (process_vm_readv(process, &local, 1, &remote, 1, 0) != (ssize_t)size) perror("limits: process_vm_readv");
}

/* Seconds of one message; `how` 0: by the kernel, 1: from mapped memory, 2: both processes copy a half. */
static double one_message(struct owner* owner, pid_t process, char* to, size_t size, int how, long number) {
  command(owner, 2 * number);
  await(&owner->done, 2 * number);
  double start = seconds();
  if (how == 0) {
    copy_by_kernel(owner, process, to, size);
  } else {
    if (how == 2) command(owner, 2 * number + 1);
    memcpy(to, owner->message, owner->from);
    if (how == 2) await(&owner->done, 2 * number + 1);
  }
  return seconds() - start;
}

static void measure_way(const char* name, int how) {
  static double times[kMost];
  for (int i = 0; i < kSizeCount; ++i) {
    size_t size = kSizes[i];
    int count = repetitions(size);
    struct owner* owner = shared_memory(sizeof *owner);
    char* message = how == 0 ? NULL : shared_memory(size);
    char* to = how == 2 ? shared_memory(size) : private_memory(size);
    owner->message = message;
    owner->target = to;
    owner->size = size;
    owner->from = how == 2 ? size / 2 : size;
    pid_t process = partner(second_cpu, own, owner);
    await(&owner->done, 1);
    for (int j = 0; j < count; ++j) times[j] = one_message(owner, process, to, size, how, j + 1);
    command(owner, -1);
    join(process);
    report(name, size, (double)size / median(times, count) / 1e9, "GB/s");
    if (message) release(message, size);
    release(to, size);
    release(owner, sizeof *owner);
  }
}

/* What a call of the kernel costs: one byte. */
static void measure_kernel_call(void) {
  enum { kBatches = 11, kCalls = 2000 };
  double times[kBatches];
  struct owner* owner = shared_memory(sizeof *owner);
  char byte;
  owner->size = 4096;
  pid_t process = partner(second_cpu, own, owner);
  await(&owner->done, 1);
  for (int batch = 0; batch < kBatches; ++batch) {
    double start = seconds();
    for (int i = 0; i < kCalls; ++i) copy_by_kernel(owner, process, &byte, 1);
    times[batch] = (seconds() - start) / kCalls;
  }
  command(owner, -1);
  join(process);
  report("kernel copy of one byte", 1, median(times, kBatches) * 1e6, "us");
  release(owner, sizeof *owner);
}

void measure_kernel_copies(void) {
  measure_kernel_call();
  measure_way("kernel copy", 0);
}

void measure_mapped_copies(void) {
  measure_way("mapped copy, one processor", 1);
  measure_way("mapped copy, two processors", 2);
}

/* Two copies, one on each processor, through slots of a chunk each. */
struct slots {
  LINE atomic_long written;
  LINE atomic_long read;
  LINE atomic_long messages; /* received */
  char* data;
  size_t chunk, count, size;
  int repeat;
};

static void write_slots(void* argument) {
  struct slots* slots = argument;
  char* message = private_memory(slots->size);
  long written = 0;
  for (int k = 0; k < slots->repeat; ++k) {
    await(&slots->messages, k);
    for (size_t at = 0; at < slots->size; at += slots->chunk) {
      while (written - atomic_load_explicit(&slots->read, memory_order_acquire) >= (long)slots->count) relax();
      memcpy(slots->data + (size_t)written % slots->count * slots->chunk, message + at, slots->chunk);
      publish(&slots->written, ++written);
    }
  }
}

static double ring_rate(size_t size, size_t chunk, size_t ring) {
  static double times[kMost];
  struct slots* slots = shared_memory(sizeof *slots);
  char* to = private_memory(size);
  slots->chunk = chunk;
  slots->count = ring / chunk;
  slots->size = size;
  slots->repeat = repetitions(size) / 2 + 2;
  slots->data = shared_memory(ring);
  pid_t process = partner(second_cpu, write_slots, slots);
  long taken = 0;
  for (int k = 0; k < slots->repeat; ++k) {
    double start = seconds();
    for (size_t at = 0; at < size; at += chunk) {
      while (atomic_load_explicit(&slots->written, memory_order_acquire) <= taken) relax();
      memcpy(to + at, slots->data + (size_t)taken % slots->count * chunk, chunk);
      publish(&slots->read, ++taken);
    }
    times[k] = seconds() - start;
    publish(&slots->messages, k + 1);
  }
  join(process);
  double rate = (double)size / median(times + 1, slots->repeat - 1) / 1e9; /* the first one touches the pages */
  release(slots->data, ring);
  release(to, size);
  release(slots, sizeof *slots);
  return rate;
}

/* The best ring for each size: which one that is depends on the caches. */
void measure_ring_copies(void) {
  static const size_t chunks[] = {1 << 13, 1 << 16, 1 << 18}, rings[] = {1 << 18, 4 << 20};
  for (int i = 0; i < kSizeCount; ++i) {
    double best = 0;
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 2; ++r) {
        if (chunks[c] > kSizes[i] || 2 * chunks[c] > rings[r]) continue;
        double rate = ring_rate(kSizes[i], chunks[c], rings[r]);
        if (rate > best) best = rate;
      }
    if (best > 0) report("two copies through a ring", kSizes[i], best, "GB/s");
  }
}
