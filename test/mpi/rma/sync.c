// SPDX-License-Identifier: BSD-3-Clause
// Synchronization: locks exclude each other, groups of MPI_Win_post and MPI_Win_start, passive targets.
// run: timeout=240 also=MVP_SMP_USE_CMA=0
#include <sched.h>

#include "windows.h"

enum { kRounds = 200 };

// A counter that is read and written in two steps is right only if the exclusive lock excludes.
static void exclusive(void) {
  for (Kind kind = kCreate; kind < kKinds; kind++) {
    Window w = make_window(kind, sizeof(long));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    for (int i = 0; i < kRounds; i++) {
      const int target = i % check_size;
      long value = -1;
      CHECK_OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, w.win));
      CHECK_OK(MPI_Get(&value, 1, MPI_LONG, target, w.start[target], 1, MPI_LONG, w.win));
      CHECK_OK(MPI_Win_flush(target, w.win));
      value++;
      CHECK_OK(MPI_Put(&value, 1, MPI_LONG, target, w.start[target], 1, MPI_LONG, w.win));
      CHECK_OK(MPI_Win_unlock(target, w.win));
    }
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    long mine = -1, want = 0;
    CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, check_rank, 0, w.win));
    memcpy(&mine, w.memory, sizeof mine);
    CHECK_OK(MPI_Win_unlock(check_rank, w.win));
    for (int i = 0; i < kRounds; i++) want += i % check_size == check_rank ? check_size : 0;
    CHECK_EQ(mine, want);
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    free_window(&w);
  }
}

// Writers keep two words equal; readers under the shared lock must never see them differ.
static void shared_and_exclusive(void) {
  Window w = make_window(kAllocate, 2 * sizeof(long));
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  for (int i = 0; i < kRounds; i++) {
    long pair[2] = {-1, -2};
    if ((i + check_rank) % 3 == 0) {
      CHECK_OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w.win));
      pair[0] = pair[1] = check_rank * kRounds + i;
      CHECK_OK(MPI_Put(&pair[0], 1, MPI_LONG, 0, 0, 1, MPI_LONG, w.win));
      CHECK_OK(MPI_Put(&pair[1], 1, MPI_LONG, 0, sizeof(long), 1, MPI_LONG, w.win));
      CHECK_OK(MPI_Win_unlock(0, w.win));
    } else if ((i + check_rank) % 3 == 1) {
      CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w.win));
      CHECK_OK(MPI_Get(pair, 2, MPI_LONG, 0, 0, 2, MPI_LONG, w.win));
      CHECK_OK(MPI_Win_unlock(0, w.win));
      CHECK_EQ(pair[0], pair[1]);
    } else {
      CHECK_OK(MPI_Win_lock_all(0, w.win));
      CHECK_OK(MPI_Get(pair, 2, MPI_LONG, 0, 0, 2, MPI_LONG, w.win));
      CHECK_OK(MPI_Win_unlock_all(w.win));
      CHECK_EQ(pair[0], pair[1]);
    }
  }
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  free_window(&w);
}

// Several targets at once, and MPI_MODE_NOCHECK.
static void many_locks(void) {
  Window w = make_window(kCreate, (size_t)check_size * sizeof(int));
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  for (int r = 0; r < check_size; r++) CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, r, MPI_MODE_NOCHECK, w.win));
  for (int r = 0; r < check_size; r++) {
    int value = check_rank + 1;
    CHECK_OK(MPI_Put(&value, 1, MPI_INT, r, check_rank * (MPI_Aint)sizeof(int), 1, MPI_INT, w.win));
    CHECK_OK(MPI_Win_flush_local_all(w.win));
  }
  for (int r = check_size - 1; r >= 0; r--) CHECK_OK(MPI_Win_unlock(r, w.win));
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  for (int r = 0; r < check_size; r++) CHECK_EQ(((int*)w.memory)[r], r + 1);
  free_window(&w);
}

// Neighbours in a ring only: everybody exposes to the left and accesses the right, many times.
static void ring(void) {
  const int right = (check_rank + 1) % check_size, left = (check_rank + check_size - 1) % check_size;
  Window w = make_window(kAllocate, sizeof(int));
  MPI_Group all, to, from;
  CHECK_OK(MPI_Win_get_group(w.win, &all));
  CHECK_OK(MPI_Group_incl(all, 1, &right, &to));
  CHECK_OK(MPI_Group_incl(all, 1, &left, &from));
  for (int i = 0; i < kRounds; i++) {
    int value = check_rank * kRounds + i, done = 0;
    CHECK_OK(MPI_Win_post(from, 0, w.win));
    CHECK_OK(MPI_Win_start(to, 0, w.win));
    CHECK_OK(MPI_Put(&value, 1, MPI_INT, right, 0, 1, MPI_INT, w.win));
    CHECK_OK(MPI_Win_complete(w.win));
    if (i % 2) {
      CHECK_OK(MPI_Win_wait(w.win));
    } else {
      while (!done) CHECK_OK(MPI_Win_test(w.win, &done));
    }
    CHECK_EQ(*(int*)w.memory, left * kRounds + i);
  }
  CHECK_OK(MPI_Group_free(&from));
  CHECK_OK(MPI_Group_free(&to));
  CHECK_OK(MPI_Group_free(&all));
  free_window(&w);
}

// One exposes, all others access; the roles change.
static void one_target(void) {
  Window w = make_window(kCreate, (size_t)check_size * sizeof(int));
  MPI_Group all, others, one;
  CHECK_OK(MPI_Win_get_group(w.win, &all));
  for (int target = 0; target < check_size; target++) {
    CHECK_OK(MPI_Group_incl(all, 1, &target, &one));
    CHECK_OK(MPI_Group_excl(all, 1, &target, &others));
    if (check_rank == target) {
      CHECK_OK(MPI_Win_post(others, 0, w.win));
      CHECK_OK(MPI_Win_wait(w.win));
      for (int r = 0; r < check_size; r++) CHECK_EQ(((int*)w.memory)[r], r == target ? 0 : r + 10);
    } else {
      int value = check_rank + 10;
      CHECK_OK(MPI_Win_start(one, 0, w.win));
      CHECK_OK(MPI_Put(&value, 1, MPI_INT, target, check_rank * (MPI_Aint)sizeof(int), 1, MPI_INT, w.win));
      CHECK_OK(MPI_Win_complete(w.win));
    }
    CHECK_OK(MPI_Group_free(&others));
    CHECK_OK(MPI_Group_free(&one));
  }
  CHECK_OK(MPI_Group_free(&all));
  free_window(&w);
}

// Rank 0 does not call MPI until it sees what the others have written into its window.
static void passive_target(void) {
  Window w = make_window(kAllocate, (size_t)check_size * sizeof(int));
  CHECK_OK(MPI_Win_lock_all(0, w.win));
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  if (check_rank == 0) {
    volatile int* window = (volatile int*)w.memory;
    for (int r = 1; r < check_size; r++) {
      while (window[r] == 0) sched_yield();
      CHECK_EQ(window[r], r * 3);
    }
  } else {
    int value = check_rank, old;
    MPI_Aint at = check_rank * (MPI_Aint)sizeof(int);
    for (int i = 0; i < 2; i++) CHECK_OK(MPI_Fetch_and_op(&value, &old, MPI_INT, 0, (MPI_Aint)0, MPI_NO_OP, w.win));
    value = check_rank * 3;
    CHECK_OK(MPI_Accumulate(&value, 1, MPI_INT, 0, at, 1, MPI_INT, MPI_REPLACE, w.win));
    CHECK_OK(MPI_Win_flush(0, w.win));
  }
  CHECK_OK(MPI_Win_unlock_all(w.win));
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  free_window(&w);
}

// Messages go on while a process waits in a fence.
static void fence_and_messages(void) {
  Window w = make_window(kShared, sizeof(int));
  const size_t bytes = 1 << 20;
  char* out = check_alloc(bytes);
  char* in = check_alloc(bytes);
  MPI_Request requests[2];
  for (int i = 0; i < 10; i++) {
    const int right = (check_rank + 1) % check_size, left = (check_rank + check_size - 1) % check_size;
    CHECK_OK(MPI_Irecv(in, (int)bytes, MPI_CHAR, left, i, MPI_COMM_WORLD, &requests[0]));
    CHECK_OK(MPI_Isend(out, (int)bytes, MPI_CHAR, right, i, MPI_COMM_WORLD, &requests[1]));
    CHECK_OK(MPI_Win_fence(0, w.win));
    CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
  }
  free(in);
  free(out);
  free_window(&w);
}

static const CheckCase kCases[] = {
    {"exclusive locks", exclusive, 0},
    {"shared and exclusive locks", shared_and_exclusive, 0},
    {"locks on many targets", many_locks, 0},
    {"post and start in a ring", ring, 0},
    {"one target, many origins", one_target, 2},
    {"passive target", passive_target, 2},
    {"fence and messages", fence_and_messages, 0},
};
CHECK_MAIN(kCases)
