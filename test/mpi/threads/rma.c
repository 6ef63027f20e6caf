// SPDX-License-Identifier: BSD-3-Clause
// run: also=MVP_WORKERS=4
//
// MPI_THREAD_MULTIPLE: several threads of every rank access the windows of all at once.
#include <pthread.h>

#include "../check.h"

enum { kThreads = 4, kRounds = 200, kLong = 1000 };

static MPI_Win allocated, created;

static void* add(void* argument) {
  const int thread = *(int*)argument;
  static double ones[kLong];
  const double mine = 1;
  for (int i = 0; i < kRounds; i++) {
    const int target = (check_rank + i + thread) % check_size;
    long one = 1, old = -1;
    MPI_Win win = i % 2 ? created : allocated;
    CHECK_OK(MPI_Fetch_and_op(&one, &old, MPI_LONG, target, (MPI_Aint)0, MPI_SUM, win));
    CHECK_OK(MPI_Win_flush(target, win));
    CHECK(old >= 0 && old < (long)kThreads * kRounds * check_size);
    CHECK_OK(MPI_Accumulate(&mine, 1, MPI_DOUBLE, target, (MPI_Aint)8, 1, MPI_DOUBLE, MPI_SUM, win));
    if (i % 20 == 0) CHECK_OK(MPI_Accumulate(ones, kLong, MPI_DOUBLE, target, (MPI_Aint)16, kLong, MPI_DOUBLE, MPI_SUM, win));
  }
  return NULL;
}

// Threads of a rank lock different targets, each in a window of its own; a message goes round meanwhile.
static void concurrent_accumulates(void) {
  const MPI_Aint bytes = 16 + kLong * (MPI_Aint)sizeof(double);
  char *memory, *mine = check_alloc((size_t)bytes);
  CHECK_OK(MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &allocated));
  CHECK_OK(MPI_Win_create(mine, bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &created));
  memset(memory, 0, (size_t)bytes);
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  CHECK_OK(MPI_Win_lock_all(0, allocated));
  CHECK_OK(MPI_Win_lock_all(0, created));
  pthread_t threads[kThreads];
  int numbers[kThreads];
  for (int i = 0; i < kThreads; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, add, &numbers[i]);
  }
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  CHECK_OK(MPI_Win_unlock_all(created));
  CHECK_OK(MPI_Win_unlock_all(allocated));
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  long sum = *(long*)memory + *(long*)mine, all = 0;
  double added = *(double*)(memory + 8) + *(double*)(mine + 8), all_added = 0;
  CHECK_OK(MPI_Allreduce(&sum, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
  CHECK_OK(MPI_Allreduce(&added, &all_added, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
  CHECK_EQ(all, (long)kThreads * kRounds * check_size);
  CHECK(all_added == (double)kThreads * kRounds * check_size);
  CHECK_OK(MPI_Win_free(&created));
  CHECK_OK(MPI_Win_free(&allocated));
  free(mine);
}

static MPI_Win own[kThreads];

static void* lock_and_count(void* argument) {
  const int thread = *(int*)argument;
  for (int i = 0; i < kRounds / 4; i++) {
    long value = -1;
    const int target = i % check_size;
    CHECK_OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, own[thread]));
    CHECK_OK(MPI_Get(&value, 1, MPI_LONG, target, 0, 1, MPI_LONG, own[thread]));
    CHECK_OK(MPI_Win_flush(target, own[thread]));
    value++;
    CHECK_OK(MPI_Put(&value, 1, MPI_LONG, target, 0, 1, MPI_LONG, own[thread]));
    CHECK_OK(MPI_Win_unlock(target, own[thread]));
  }
  return NULL;
}

static void concurrent_locks(void) {
  long* memory[kThreads];
  pthread_t threads[kThreads];
  int numbers[kThreads];
  for (int i = 0; i < kThreads; i++) {
    CHECK_OK(MPI_Win_allocate(sizeof(long), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory[i], &own[i]));
    *memory[i] = 0;
    numbers[i] = i;
  }
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  for (int i = 0; i < kThreads; i++) pthread_create(&threads[i], NULL, lock_and_count, &numbers[i]);
  for (int i = 0; i < kThreads; i++) pthread_join(threads[i], NULL);
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  for (int i = 0; i < kThreads; i++) {
    long sum = 0;
    CHECK_OK(MPI_Allreduce(memory[i], &sum, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD));
    CHECK_EQ(sum, (long)(kRounds / 4) * check_size);
    CHECK_OK(MPI_Win_free(&own[i]));
  }
}

static const CheckCase kCases[] = {
    {"concurrent accumulates", concurrent_accumulates, 0},
    {"concurrent locks", concurrent_locks, 0},
};

CHECK_MAIN_THREADS(kCases)
