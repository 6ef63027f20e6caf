// SPDX-License-Identifier: BSD-3-Clause
// Put and get: every kind of window in every kind of epoch, sizes, layouts, MPI_PROC_NULL, requests.
// run: timeout=240 also=MVP_SMP_USE_CMA=0
#include "windows.h"

enum { kRoom = 1 << 20 };

static int right(void) { return (check_rank + 1) % check_size; }
static int left(void) { return (check_rank + check_size - 1) % check_size; }

// Every process writes a block of its own into the window of every other one, and then reads all blocks back.
static void put_get_in(Kind kind, Sync sync) {
  enum { kBlock = 3000 };
  const size_t bytes = (size_t)check_size * kBlock;
  Window w = make_window(kind, bytes);
  unsigned char* out = check_alloc(bytes);
  unsigned char* in = check_alloc(bytes);
  for (int r = 0; r < check_size; r++) check_fill(out + r * kBlock, kBlock, (unsigned)(check_rank * 64 + r));
  open_epoch(w.win, sync);
  for (int r = 0; r < check_size; r++) {
    CHECK_OK(MPI_Put(out + r * kBlock, kBlock, MPI_BYTE, r, w.start[r] + check_rank * kBlock, kBlock, MPI_BYTE, w.win));
  }
  close_epoch(w.win, sync);
  for (int r = 0; r < check_size; r++) CHECK_PATTERN(w.memory + r * kBlock, kBlock, (unsigned)(r * 64 + check_rank));
  open_epoch(w.win, sync);
  for (int r = 0; r < check_size; r++) {
    CHECK_OK(MPI_Get(in + r * kBlock, kBlock, MPI_BYTE, r, w.start[r] + check_rank * kBlock, kBlock, MPI_BYTE, w.win));
  }
  close_epoch(w.win, sync);
  CHECK_BYTES(in, out, bytes);
  free(in);
  free(out);
  free_window(&w);
}
static void put_get(void) {
  for (Kind kind = kCreate; kind < kKinds; kind++) {
    for (Sync sync = kFence; sync < kSyncs; sync++) put_get_in(kind, sync);
  }
}

static void sizes(void) {
  static const int all[] = {0, 1, 2, 3, 4, 7, 8, 9, 63, 64, 65, 4095, 16384, 16385, 100001, kRoom};
  unsigned char* out = check_alloc(kRoom);
  unsigned char* in = check_alloc(kRoom);
  for (Kind kind = kCreate; kind < kKinds; kind++) {
    Window w = make_window(kind, kRoom);
    for (size_t s = 0; s < sizeof all / sizeof *all; s++) {
      size_t bytes = (size_t)all[s];
      check_fill(out, bytes, (unsigned)(check_rank + all[s]));
      memset(in, 0, kRoom);
      memset(w.memory, 0x55, kRoom);
      open_epoch(w.win, kLock);
      CHECK_OK(MPI_Put(out, all[s], MPI_BYTE, right(), w.start[right()], all[s], MPI_BYTE, w.win));
      CHECK_OK(MPI_Win_flush(right(), w.win));
      CHECK_OK(MPI_Get(in, all[s], MPI_BYTE, right(), w.start[right()], all[s], MPI_BYTE, w.win));
      CHECK_OK(MPI_Win_flush_local(right(), w.win));
      close_epoch(w.win, kLock);
      CHECK_BYTES(in, out, bytes);
      CHECK_PATTERN(w.memory, bytes, (unsigned)(left() + all[s]));
      if (bytes < kRoom) CHECK_EQ(w.memory[bytes], 0x55);
    }
    free_window(&w);
  }
  free(in);
  free(out);
}

// Gaps at the origin, at the target, on both sides in different ways.
static void layouts(void) {
  enum { kInts = 4000, kSpan = 3 * kInts };
  MPI_Datatype every_third, pairs;
  CHECK_OK(MPI_Type_vector(kInts, 1, 3, MPI_INT, &every_third));
  CHECK_OK(MPI_Type_vector(kInts / 2, 2, 5, MPI_INT, &pairs));
  CHECK_OK(MPI_Type_commit(&every_third));
  CHECK_OK(MPI_Type_commit(&pairs));
  int* plain = check_alloc(kInts * sizeof(int));
  int* spread = check_alloc(kSpan * sizeof(int));
  for (Kind kind = kCreate; kind < kKinds; kind++) {
    Window w = make_window(kind, kSpan * sizeof(int));
    int* window = (int*)w.memory;
    for (int i = 0; i < kInts; i++) plain[i] = check_rank * 100000 + i;
    open_epoch(w.win, kFence);
    CHECK_OK(MPI_Put(plain, kInts, MPI_INT, right(), w.start[right()], 1, every_third, w.win));
    close_epoch(w.win, kFence);
    for (int i = 0; i < kInts; i++) {
      if (!CHECK_EQ(window[3 * i], left() * 100000 + i) || !CHECK_EQ(window[3 * i + 1], 0)) break;
    }
    memset(spread, 0, kSpan * sizeof(int));
    open_epoch(w.win, kLockAll);
    CHECK_OK(MPI_Get(spread, 1, pairs, right(), w.start[right()], 1, every_third, w.win));
    close_epoch(w.win, kLockAll);
    for (int i = 0; i < kInts; i++) {
      if (!CHECK_EQ(spread[i / 2 * 5 + i % 2], check_rank * 100000 + i)) break;
    }
    memset(w.memory, 0, kSpan * sizeof(int));
    open_epoch(w.win, kPost);
    CHECK_OK(MPI_Put(spread, 1, pairs, right(), w.start[right()], kInts, MPI_INT, w.win));
    close_epoch(w.win, kPost);
    for (int i = 0; i < kInts; i++) {
      if (!CHECK_EQ(window[i], left() * 100000 + i)) break;
    }
    free_window(&w);
  }
  free(spread);
  free(plain);
  CHECK_OK(MPI_Type_free(&pairs));
  CHECK_OK(MPI_Type_free(&every_third));
}

static void displacement_units(void) {
  double* memory = check_alloc(100 * sizeof(double));
  MPI_Win win;
  // Rank r counts in units of r + 1 doubles.
  const int unit = (check_rank + 1) * (int)sizeof(double);
  CHECK_OK(MPI_Win_create(memory, 100 * sizeof(double), unit, MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  double value = check_rank + 0.5, back = 0;
  CHECK_OK(MPI_Win_fence(0, win));
  CHECK_OK(MPI_Put(&value, 1, MPI_DOUBLE, right(), 3, 1, MPI_DOUBLE, win));
  CHECK_OK(MPI_Win_fence(0, win));
  CHECK_OK(MPI_Get(&back, 1, MPI_DOUBLE, right(), 3, 1, MPI_DOUBLE, win));
  CHECK_OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
  CHECK(memory[3 * (check_rank + 1)] == left() + 0.5);
  CHECK(back == value);
  CHECK_OK(MPI_Win_free(&win));
  free(memory);
}

static void proc_null(void) {
  Window w = make_window(kAllocate, 8);
  int value = 7, result = 8;
  open_epoch(w.win, kFence);
  CHECK_OK(MPI_Put(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, w.win));
  CHECK_OK(MPI_Get(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, w.win));
  CHECK_OK(MPI_Accumulate(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, w.win));
  CHECK_OK(MPI_Fetch_and_op(&value, &result, MPI_INT, MPI_PROC_NULL, 0, MPI_SUM, w.win));
  CHECK_OK(MPI_Compare_and_swap(&value, &value, &result, MPI_INT, MPI_PROC_NULL, 0, w.win));
  CHECK_OK(MPI_Get_accumulate(&value, 1, MPI_INT, &result, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, MPI_SUM, w.win));
  close_epoch(w.win, kFence);
  MPI_Request requests[2];
  open_epoch(w.win, kLockAll);
  CHECK_OK(MPI_Rput(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, w.win, &requests[0]));
  CHECK_OK(MPI_Rget(&value, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, w.win, &requests[1]));
  CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
  close_epoch(w.win, kLockAll);
  CHECK_EQ(value, 7);
  CHECK_EQ(result, 8);
  free_window(&w);
}

static void with_requests(void) {
  enum { kCount = 20 };
  for (Kind kind = kCreate; kind < kKinds; kind++) {
    Window w = make_window(kind, 3 * kCount * sizeof(long));
    long out[kCount], in[kCount], old[kCount];
    long* window = (long*)w.memory;
    MPI_Aint at = w.start[right()];
    MPI_Request requests[kCount], request;
    for (int i = 0; i < kCount; i++) out[i] = check_rank * 1000 + i;
    open_epoch(w.win, kLockAll);
    for (int i = 0; i < kCount; i++) {
      CHECK_OK(MPI_Rput(&out[i], 1, MPI_LONG, right(), at + i * (MPI_Aint)sizeof(long), 1, MPI_LONG, w.win, &requests[i]));
    }
    CHECK_OK(MPI_Waitall(kCount, requests, MPI_STATUSES_IGNORE));
    CHECK_OK(MPI_Win_flush(right(), w.win));
    CHECK_OK(MPI_Rget(in, kCount, MPI_LONG, right(), at, kCount, MPI_LONG, w.win, &request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_BYTES(in, out, sizeof out);
    CHECK_OK(MPI_Raccumulate(out, kCount, MPI_LONG, right(), at, kCount, MPI_LONG, MPI_SUM, w.win, &request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_Win_flush(right(), w.win));
    CHECK_OK(MPI_Rget_accumulate(out, kCount, MPI_LONG, old, kCount, MPI_LONG, right(), at, kCount, MPI_LONG, MPI_SUM, w.win,
                                 &request));
    CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    for (int i = 0; i < kCount; i++) CHECK_EQ(old[i], 2 * out[i]);
    close_epoch(w.win, kLockAll);
    for (int i = 0; i < kCount; i++) CHECK_EQ(window[i], 3 * (left() * 1000 + i));
    free_window(&w);
  }
}

// A communicator with other ranks than MPI_COMM_WORLD.
static void reversed(void) {
  MPI_Comm comm;
  MPI_Win win;
  int* memory;
  CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, 0, -check_rank, &comm));
  CHECK_OK(MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &memory, &win));
  CHECK_OK(MPI_Comm_free(&comm));  // the window lives on
  int value = check_rank;
  CHECK_OK(MPI_Win_fence(0, win));
  CHECK_OK(MPI_Put(&value, 1, MPI_INT, check_rank, 0, 1, MPI_INT, win));
  CHECK_OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
  CHECK_EQ(*memory, check_size - 1 - check_rank);
  CHECK_OK(MPI_Win_free(&win));
}

static const CheckCase kCases[] = {
    {"put and get, all windows and epochs", put_get, 0},
    {"sizes", sizes, 0},
    {"layouts", layouts, 0},
    {"displacement units", displacement_units, 0},
    {"MPI_PROC_NULL", proc_null, 0},
    {"requests", with_requests, 0},
    {"other order of ranks", reversed, 0},
};
CHECK_MAIN(kCases)
