// SPDX-License-Identifier: BSD-3-Clause
// Windows of every kind with the same interface, and every way to open and close an epoch, for the tests of one-sided
// communication.
#ifndef STARLING_TEST_RMA_WINDOWS_H_
#define STARLING_TEST_RMA_WINDOWS_H_

#include "../check.h"

typedef enum Kind { kCreate, kAllocate, kShared, kDynamic, kKinds } Kind;

typedef struct Window {
  Kind kind;
  MPI_Win win;
  unsigned char* memory;  // of this process
  MPI_Aint* start;        // by rank: displacement of its first byte
} Window;

static inline Window make_window(Kind kind, size_t bytes) {
  Window w = {kind, MPI_WIN_NULL, NULL, check_alloc((size_t)check_size * sizeof(MPI_Aint))};
  MPI_Aint start = 0;
  switch (kind) {
    case kAllocate:
      CHECK_OK(MPI_Win_allocate((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w.memory, &w.win));
      break;
    case kShared:
      CHECK_OK(MPI_Win_allocate_shared((MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w.memory, &w.win));
      break;
    case kDynamic:
      w.memory = check_alloc(bytes);
      CHECK_OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &w.win));
      CHECK_OK(MPI_Win_attach(w.win, w.memory, (MPI_Aint)bytes));
      CHECK_OK(MPI_Get_address(w.memory, &start));
      break;
    default:
      w.memory = check_alloc(bytes);
      CHECK_OK(MPI_Win_create(w.memory, (MPI_Aint)bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &w.win));
  }
  CHECK_OK(MPI_Win_set_errhandler(w.win, MPI_ERRORS_RETURN));
  memset(w.memory, 0, bytes);
  CHECK_OK(MPI_Allgather(&start, 1, MPI_AINT, w.start, 1, MPI_AINT, MPI_COMM_WORLD));
  return w;
}

static inline void free_window(Window* w) {
  if (w->kind == kDynamic) CHECK_OK(MPI_Win_detach(w->win, w->memory));
  CHECK_OK(MPI_Win_free(&w->win));
  CHECK(w->win == MPI_WIN_NULL);
  if (w->kind == kCreate || w->kind == kDynamic) free(w->memory);
  free(w->start);
}

// Epochs in which every process may access every other one, and after which all see the result.
typedef enum Sync { kFence, kPost, kLock, kLockAll, kSyncs } Sync;

static inline void open_epoch(MPI_Win win, Sync sync) {
  MPI_Group group;
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));  // local changes of windows come before
  switch (sync) {
    case kFence:
      CHECK_OK(MPI_Win_fence(MPI_MODE_NOPRECEDE, win));
      break;
    case kPost:
      CHECK_OK(MPI_Win_get_group(win, &group));
      CHECK_OK(MPI_Win_post(group, 0, win));
      CHECK_OK(MPI_Win_start(group, 0, win));
      CHECK_OK(MPI_Group_free(&group));
      break;
    case kLock:
      for (int r = 0; r < check_size; r++) CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, r, 0, win));
      break;
    default:
      CHECK_OK(MPI_Win_lock_all(0, win));
  }
}

static inline void close_epoch(MPI_Win win, Sync sync) {
  switch (sync) {
    case kFence:
      CHECK_OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
      break;
    case kPost:
      CHECK_OK(MPI_Win_complete(win));
      CHECK_OK(MPI_Win_wait(win));
      break;
    case kLock:
      for (int r = 0; r < check_size; r++) CHECK_OK(MPI_Win_unlock(r, win));
      break;
    default:
      CHECK_OK(MPI_Win_flush_all(win));
      CHECK_OK(MPI_Win_unlock_all(win));
  }
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
}

#endif  // STARLING_TEST_RMA_WINDOWS_H_
