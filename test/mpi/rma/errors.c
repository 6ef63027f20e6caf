// SPDX-License-Identifier: BSD-3-Clause
// What is wrong is said by the class that the standard names, to the error handler of the window, and nothing is changed.
#include "windows.h"

static int x = 1, y = 2;

#define PUT(win, target, disp) MPI_Put(&x, 1, MPI_INT, target, disp, 1, MPI_INT, win)

static void epochs(void) {
  Window w = make_window(kAllocate, 64);
  MPI_Group group;
  CHECK_OK(MPI_Win_get_group(w.win, &group));
  CHECK_CLASS(PUT(w.win, 0, 0), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Fetch_and_op(&x, &y, MPI_INT, 0, (MPI_Aint)0, MPI_SUM, w.win), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_unlock(0, w.win), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_unlock_all(w.win), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_complete(w.win), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_wait(w.win), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_test(w.win, &y), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_flush(0, w.win), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_flush_all(w.win), MPI_ERR_RMA_SYNC);

  CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, check_rank, 0, w.win));
  CHECK_CLASS(MPI_Win_lock(MPI_LOCK_SHARED, check_rank, 0, w.win), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_lock_all(0, w.win), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_start(group, 0, w.win), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_fence(0, w.win), MPI_ERR_RMA_SYNC);
  if (check_size > 1) CHECK_CLASS(PUT(w.win, (check_rank + 1) % check_size, 0), MPI_ERR_RMA_SYNC);
  CHECK_OK(PUT(w.win, check_rank, 0));
  CHECK_OK(MPI_Win_unlock(check_rank, w.win));

  CHECK_OK(MPI_Win_lock_all(0, w.win));
  CHECK_CLASS(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w.win), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Win_lock_all(0, w.win), MPI_ERR_RMA_SYNC);
  CHECK_OK(MPI_Win_unlock_all(w.win));

  CHECK_OK(MPI_Win_fence(0, w.win));
  CHECK_OK(PUT(w.win, check_rank, 0));
  CHECK_OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, w.win));
  CHECK_CLASS(PUT(w.win, check_rank, 0), MPI_ERR_RMA_SYNC);

  CHECK_OK(MPI_Win_fence(0, w.win));  // a fence without communication is no epoch
  CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w.win));
  CHECK_OK(MPI_Win_unlock(0, w.win));

  CHECK_OK(MPI_Win_post(group, 0, w.win));
  CHECK_CLASS(MPI_Win_post(group, 0, w.win), MPI_ERR_RMA_SYNC);
  CHECK_OK(MPI_Win_start(group, 0, w.win));
  CHECK_CLASS(MPI_Win_start(group, 0, w.win), MPI_ERR_RMA_SYNC);
  CHECK_OK(MPI_Win_complete(w.win));
  CHECK_OK(MPI_Win_wait(w.win));
  CHECK_OK(MPI_Group_free(&group));
  free_window(&w);
}

static void ranges(void) {
  for (Kind kind = kCreate; kind < kDynamic; kind++) {
    Window w = make_window(kind, 64);
    int values[17];
    MPI_Datatype wide;
    CHECK_OK(MPI_Type_vector(2, 1, 20, MPI_INT, &wide));
    CHECK_OK(MPI_Type_commit(&wide));
    open_epoch(w.win, kLockAll);
    CHECK_CLASS(PUT(w.win, 0, 61), MPI_ERR_RMA_RANGE);
    CHECK_CLASS(PUT(w.win, 0, 100000), MPI_ERR_RMA_RANGE);
    CHECK_CLASS(MPI_Get(values, 17, MPI_INT, 0, 0, 17, MPI_INT, w.win), MPI_ERR_RMA_RANGE);
    CHECK_CLASS(MPI_Get(values, 2, MPI_INT, 0, 0, 1, wide, w.win), MPI_ERR_RMA_RANGE);
    CHECK_CLASS(MPI_Compare_and_swap(&x, &x, &y, MPI_INT, 0, (MPI_Aint)64, w.win), MPI_ERR_RMA_RANGE);
    CHECK_CLASS(PUT(w.win, 0, -4), MPI_ERR_DISP);
    CHECK_CLASS(PUT(w.win, check_size, 0), MPI_ERR_RANK);
    CHECK_OK(PUT(w.win, 0, 60));
    CHECK_OK(MPI_Put(&x, 0, MPI_INT, 0, 64, 0, MPI_INT, w.win));
    close_epoch(w.win, kLockAll);
    CHECK_OK(MPI_Type_free(&wide));
    free_window(&w);
  }
}

static void dynamic(void) {
  Window w = make_window(kDynamic, 64);
  Window other = make_window(kAllocate, 64);
  CHECK_CLASS(MPI_Win_attach(w.win, w.memory + 8, 8), MPI_ERR_RMA_ATTACH);
  CHECK_CLASS(MPI_Win_detach(w.win, w.memory + 8), MPI_ERR_RMA_ATTACH);
  CHECK_CLASS(MPI_Win_attach(other.win, w.memory, 8), MPI_ERR_RMA_FLAVOR);
  CHECK_CLASS(MPI_Win_attach(w.win, &x, -1), MPI_ERR_SIZE);
  open_epoch(w.win, kLockAll);
  CHECK_CLASS(PUT(w.win, 0, w.start[0] + 62), MPI_ERR_RMA_RANGE);
  CHECK_CLASS(PUT(w.win, 0, 0), MPI_ERR_RMA_RANGE);
  close_epoch(w.win, kLockAll);
  free_window(&other);
  free_window(&w);
}

static void arguments(void) {
  Window w = make_window(kAllocate, 64);
  MPI_Win win = MPI_WIN_NULL;
  void* memory;
  MPI_Request request;
  CHECK_CLASS(MPI_Win_create(&x, -1, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win), MPI_ERR_SIZE);
  CHECK_CLASS(MPI_Win_create(&x, 4, 0, MPI_INFO_NULL, MPI_COMM_WORLD, &win), MPI_ERR_DISP);
  CHECK_CLASS(MPI_Win_allocate(((MPI_Aint)1 << 55), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win), MPI_ERR_NO_MEM);
  CHECK_CLASS(MPI_Win_lock(-99, 0, 0, w.win), MPI_ERR_LOCKTYPE);
  CHECK_CLASS(MPI_Win_lock(MPI_LOCK_SHARED, check_size, 0, w.win), MPI_ERR_RANK);
  CHECK_CLASS(MPI_Win_fence(1 << 20, w.win), MPI_ERR_ASSERT);
  CHECK_CLASS(MPI_Win_fence(0, MPI_WIN_NULL), MPI_ERR_WIN);
  CHECK_OK(MPI_Win_fence(0, w.win));
  CHECK_CLASS(MPI_Rput(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, w.win, &request), MPI_ERR_RMA_SYNC);
  CHECK_CLASS(MPI_Accumulate(&x, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_OP_NULL, w.win), MPI_ERR_OP);
  CHECK_CLASS(MPI_Accumulate(&x, 1, MPI_FLOAT, 0, 0, 1, MPI_FLOAT, MPI_BAND, w.win), MPI_ERR_OP);
  CHECK_CLASS(MPI_Compare_and_swap(&x, &x, &y, MPI_FLOAT, 0, (MPI_Aint)0, w.win), MPI_ERR_TYPE);
  CHECK_CLASS(MPI_Put(&x, -1, MPI_INT, 0, 0, 1, MPI_INT, w.win), MPI_ERR_COUNT);
  CHECK_OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, w.win));
  free_window(&w);
}

static void open_windows_are_not_freed(void) {
  Window w = make_window(kCreate, 8);
  CHECK_OK(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w.win));
  CHECK_CLASS(MPI_Win_free(&w.win), MPI_ERR_RMA_SYNC);
  CHECK_OK(MPI_Win_unlock(0, w.win));
  free_window(&w);
}

static int handled, handled_class;
static void handler(MPI_Win* win, int* code, ...) {
  (void)win;
  ++handled;
  MPI_Error_class(*code, &handled_class);
}

static void handlers(void) {
  Window w = make_window(kCreate, 8);
  MPI_Errhandler mine, found;
  handled = 0;
  CHECK_OK(MPI_Win_create_errhandler(handler, &mine));
  CHECK_OK(MPI_Win_set_errhandler(w.win, mine));
  PUT(w.win, 0, 0);
  CHECK_EQ(handled, 1);
  CHECK_EQ(handled_class, MPI_ERR_RMA_SYNC);
  CHECK_OK(MPI_Win_call_errhandler(w.win, MPI_ERR_OTHER));
  CHECK_EQ(handled, 2);
  CHECK_OK(MPI_Win_get_errhandler(w.win, &found));
  CHECK(found == mine);
  CHECK_OK(MPI_Errhandler_free(&found));
  CHECK_OK(MPI_Errhandler_free(&mine));
  free_window(&w);
}

static const CheckCase kCases[] = {
    {"epochs", epochs, 0},
    {"ranges", ranges, 0},
    {"attached memory", dynamic, 0},
    {"arguments", arguments, 0},
    {"free in an epoch", open_windows_are_not_freed, 0},
    {"error handlers", handlers, 0},
};
CHECK_MAIN(kCases)
