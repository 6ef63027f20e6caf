// SPDX-License-Identifier: BSD-3-Clause
// Accumulates: every predefined operation on every type that knows it, atomicity, layouts, pairs, fetching forms.
// run: timeout=240 also=MVP_SMP_USE_CMA=0
#include <complex.h>
#include <stdint.h>

#include "windows.h"

enum { kElements = 37, kMany = 5000, kMostBytes = 16 };

typedef struct Type {
  MPI_Datatype type;
  const char* name;
  size_t bytes;
  enum { kInteger = 1, kFloating = 2, kComplex = 4, kLogical = 8, kByte = 16 } family;
} Type;
typedef struct Operation {
  MPI_Op op;
  const char* name;
  int families;
} Operation;

static int types(Type* list) {
  int n = 0;
  list[n++] = (Type){MPI_SIGNED_CHAR, "MPI_SIGNED_CHAR", 1, kInteger};
  list[n++] = (Type){MPI_UNSIGNED_CHAR, "MPI_UNSIGNED_CHAR", 1, kInteger};
  list[n++] = (Type){MPI_SHORT, "MPI_SHORT", sizeof(short), kInteger};
  list[n++] = (Type){MPI_UNSIGNED_SHORT, "MPI_UNSIGNED_SHORT", sizeof(short), kInteger};
  list[n++] = (Type){MPI_INT, "MPI_INT", sizeof(int), kInteger};
  list[n++] = (Type){MPI_UNSIGNED, "MPI_UNSIGNED", sizeof(int), kInteger};
  list[n++] = (Type){MPI_LONG, "MPI_LONG", sizeof(long), kInteger};
  list[n++] = (Type){MPI_UINT64_T, "MPI_UINT64_T", 8, kInteger};
  list[n++] = (Type){MPI_AINT, "MPI_AINT", sizeof(MPI_Aint), kInteger};
  list[n++] = (Type){MPI_FLOAT, "MPI_FLOAT", sizeof(float), kFloating};
  list[n++] = (Type){MPI_DOUBLE, "MPI_DOUBLE", sizeof(double), kFloating};
  list[n++] = (Type){MPI_C_FLOAT_COMPLEX, "MPI_C_FLOAT_COMPLEX", sizeof(float complex), kComplex};
  list[n++] = (Type){MPI_C_DOUBLE_COMPLEX, "MPI_C_DOUBLE_COMPLEX", sizeof(double complex), kComplex};
  list[n++] = (Type){MPI_C_BOOL, "MPI_C_BOOL", sizeof(_Bool), kLogical};
  list[n++] = (Type){MPI_BYTE, "MPI_BYTE", 1, kByte};
  return n;
}
static int operations(Operation* list) {
  const int numbers = kInteger | kFloating, sums = numbers | kComplex, all = sums | kLogical | kByte;
  int n = 0;
  list[n++] = (Operation){MPI_SUM, "MPI_SUM", sums};
  list[n++] = (Operation){MPI_PROD, "MPI_PROD", sums};
  list[n++] = (Operation){MPI_MIN, "MPI_MIN", numbers};
  list[n++] = (Operation){MPI_MAX, "MPI_MAX", numbers};
  list[n++] = (Operation){MPI_LAND, "MPI_LAND", kInteger | kLogical};
  list[n++] = (Operation){MPI_LOR, "MPI_LOR", kInteger | kLogical};
  list[n++] = (Operation){MPI_LXOR, "MPI_LXOR", kInteger | kLogical};
  list[n++] = (Operation){MPI_BAND, "MPI_BAND", kInteger | kByte};
  list[n++] = (Operation){MPI_BOR, "MPI_BOR", kInteger | kByte};
  list[n++] = (Operation){MPI_BXOR, "MPI_BXOR", kInteger | kByte};
  list[n++] = (Operation){MPI_REPLACE, "MPI_REPLACE", all};
  return n;
}

// n values that every operation can work on without overflow.
static void fill(const Type* t, void* memory, int n, int seed) {
  for (int i = 0; i < n; i++) {
    const int value = (seed * 7 + i * 5) % 11 + 1;
    unsigned char* at = (unsigned char*)memory + (size_t)i * t->bytes;
    switch (t->family) {
      case kFloating:
        if (t->bytes == sizeof(float)) memcpy(at, &(float){(float)value}, sizeof(float));
        if (t->bytes == sizeof(double)) memcpy(at, &(double){value}, sizeof(double));
        break;
      case kComplex:
        if (t->bytes == sizeof(float complex)) memcpy(at, (float[2]){(float)value, 1}, sizeof(float complex));
        if (t->bytes == sizeof(double complex)) memcpy(at, (double[2]){value, 1}, sizeof(double complex));
        break;
      case kLogical:
        *at = (unsigned char)(value % 2);
        break;
      default:  // little or big endian: a small number in all bytes is one, too
        memset(at, 0, t->bytes);
        if (t->bytes == 1) *at = (unsigned char)value;
        if (t->bytes == 2) memcpy(at, &(int16_t){(int16_t)value}, 2);
        if (t->bytes == 4) memcpy(at, &(int32_t){value}, 4);
        if (t->bytes == 8) memcpy(at, &(int64_t){value}, 8);
    }
  }
}

// MPI_Reduce_local says what is right.
static void expect(const Type* t, const Operation* o, const void* in, void* inout, int n) {
  if (o->op == MPI_REPLACE) {
    memcpy(inout, in, (size_t)n * t->bytes);
  } else {
    CHECK_OK(MPI_Reduce_local(in, inout, n, t->type, o->op));
  }
}

static void try_operation(Window* w, const Type* t, const Operation* o, int n) {
  const int right = (check_rank + 1) % check_size, left = (check_rank + check_size - 1) % check_size;
  const size_t bytes = (size_t)n * t->bytes;
  unsigned char* in = check_alloc(bytes);
  unsigned char* from_left = check_alloc(bytes);
  unsigned char* want = check_alloc(bytes);
  unsigned char* old = check_alloc(bytes);
  unsigned char* old_want = check_alloc(bytes);
  fill(t, in, n, check_rank + 3);
  fill(t, from_left, n, left + 3);
  fill(t, w->memory, n, check_rank);
  fill(t, want, n, check_rank);
  fill(t, old_want, n, right);
  expect(t, o, in, old_want, n);
  for (int i = 0; i < 2; i++) expect(t, o, from_left, want, n);
  open_epoch(w->win, kLockAll);
  CHECK_OK(MPI_Accumulate(in, n, t->type, right, w->start[right], n, t->type, o->op, w->win));
  CHECK_OK(MPI_Win_flush(right, w->win));
  CHECK_OK(MPI_Get_accumulate(in, n, t->type, old, n, t->type, right, w->start[right], n, t->type, o->op, w->win));
  close_epoch(w->win, kLockAll);
  if (!CHECK_BYTES(old, old_want, bytes) || !CHECK_BYTES(w->memory, want, bytes))
    check_failed(__FILE__, __LINE__, "%s of %d %s in a window of kind %d", o->name, n, t->name, (int)w->kind);
  free(old_want);
  free(old);
  free(want);
  free(from_left);
  free(in);
}

static void all_operations(void) {
  Type type_list[32];
  Operation op_list[32];
  const int n_types = types(type_list), n_ops = operations(op_list);
  for (Kind kind = kCreate; kind < kKinds; kind++) {
    Window w = make_window(kind, kMany * kMostBytes);
    for (int t = 0; t < n_types; t++) {
      for (int o = 0; o < n_ops; o++) {
        if (!(op_list[o].families & type_list[t].family)) continue;
        try_operation(&w, &type_list[t], &op_list[o], kElements);
        if (o % 5 == t % 5) try_operation(&w, &type_list[t], &op_list[o], kMany);
      }
    }
    free_window(&w);
  }
}

static void fetch_one(void) {
  for (Kind kind = kCreate; kind < kKinds; kind++) {
    Window w = make_window(kind, 64);
    const int right = (check_rank + 1) % check_size;
    const MPI_Aint at = w.start[right];
    int32_t one = 5, old = -1;
    double half = 0.5, old_double = -1;
    *(int32_t*)w.memory = 100 + check_rank;
    *(double*)(w.memory + 8) = check_rank;
    open_epoch(w.win, kLockAll);
    CHECK_OK(MPI_Fetch_and_op(&one, &old, MPI_INT32_T, right, at, MPI_SUM, w.win));
    CHECK_OK(MPI_Win_flush(right, w.win));
    CHECK_EQ(old, 100 + right);
    CHECK_OK(MPI_Fetch_and_op(NULL, &old, MPI_INT32_T, right, at, MPI_NO_OP, w.win));
    CHECK_OK(MPI_Win_flush(right, w.win));
    CHECK_EQ(old, 105 + right);
    CHECK_OK(MPI_Fetch_and_op(&one, &old, MPI_INT32_T, right, at, MPI_REPLACE, w.win));
    CHECK_OK(MPI_Win_flush(right, w.win));
    CHECK_EQ(old, 105 + right);
    int32_t compare = 4, value = 9;
    CHECK_OK(MPI_Compare_and_swap(&value, &compare, &old, MPI_INT32_T, right, at, w.win));
    CHECK_OK(MPI_Win_flush(right, w.win));
    CHECK_EQ(old, 5);
    compare = 5;
    CHECK_OK(MPI_Compare_and_swap(&value, &compare, &old, MPI_INT32_T, right, at, w.win));
    CHECK_OK(MPI_Win_flush(right, w.win));
    CHECK_EQ(old, 5);
    CHECK_OK(MPI_Fetch_and_op(&half, &old_double, MPI_DOUBLE, right, at + 8, MPI_SUM, w.win));
    CHECK_OK(MPI_Win_flush(right, w.win));
    CHECK(old_double == right);
    CHECK_OK(MPI_Get_accumulate(NULL, 0, MPI_INT, &old_double, 1, MPI_DOUBLE, right, at + 8, 1, MPI_DOUBLE, MPI_NO_OP, w.win));
    CHECK_OK(MPI_Win_flush(right, w.win));
    CHECK(old_double == right + 0.5);
    close_epoch(w.win, kLockAll);
    CHECK_EQ(*(int32_t*)w.memory, 9);
    free_window(&w);
  }
}

// Everybody adds to the same places at once, by all forms and in short and long calls; nothing may be lost.
static void concurrent(void) {
  enum { kRounds = 30, kLong = 2000 };
  static double ones[kLong];
  for (Kind kind = kCreate; kind < kKinds; kind++) {
    Window w = make_window(kind, kLong * sizeof(double));
    for (int i = 0; i < kLong; i++) ones[i] = 1;
    open_epoch(w.win, kLockAll);
    for (int i = 0; i < kRounds; i++) {
      double old = -1;
      for (int r = 0; r < check_size; r++) {
        CHECK_OK(MPI_Accumulate(ones, 1, MPI_DOUBLE, r, w.start[r], 1, MPI_DOUBLE, MPI_SUM, w.win));
        CHECK_OK(MPI_Accumulate(ones, kLong, MPI_DOUBLE, r, w.start[r], kLong, MPI_DOUBLE, MPI_SUM, w.win));
        CHECK_OK(MPI_Fetch_and_op(ones, &old, MPI_DOUBLE, r, w.start[r], MPI_SUM, w.win));
        CHECK_OK(MPI_Win_flush(r, w.win));
        CHECK(old >= 3 * i + 2 && old <= 3.0 * kRounds * check_size);
      }
    }
    close_epoch(w.win, kLockAll);
    const double* window = (const double*)w.memory;
    CHECK(window[0] == 3.0 * kRounds * check_size);
    for (int i = 1; i < kLong; i++) {
      if (!CHECK(window[i] == 1.0 * kRounds * check_size)) break;
    }
    free_window(&w);
  }
}

// A lock made of compare-and-swap protects a counter.
static void spin_lock(void) {
  for (Kind kind = kCreate; kind < kKinds; kind++) {
    Window w = make_window(kind, 2 * sizeof(long));
    const MPI_Aint lock = w.start[0], counter = lock + (MPI_Aint)sizeof(long);
    open_epoch(w.win, kLockAll);
    for (int i = 0; i < 20; i++) {
      const long free_word = 0, mine = check_rank + 1;
      long old = -1, value = 0;
      while (old != 0) {
        CHECK_OK(MPI_Compare_and_swap(&mine, &free_word, &old, MPI_LONG, 0, lock, w.win));
        CHECK_OK(MPI_Win_flush(0, w.win));
      }
      CHECK_OK(MPI_Get(&value, 1, MPI_LONG, 0, counter, 1, MPI_LONG, w.win));
      CHECK_OK(MPI_Win_flush(0, w.win));
      value++;
      CHECK_OK(MPI_Put(&value, 1, MPI_LONG, 0, counter, 1, MPI_LONG, w.win));
      CHECK_OK(MPI_Win_flush(0, w.win));
      CHECK_OK(MPI_Fetch_and_op(&free_word, &old, MPI_LONG, 0, lock, MPI_REPLACE, w.win));
      CHECK_OK(MPI_Win_flush(0, w.win));
      CHECK_EQ(old, mine);
    }
    close_epoch(w.win, kLockAll);
    if (check_rank == 0) CHECK_EQ(((long*)w.memory)[1], 20 * check_size);
    free_window(&w);
  }
}

typedef struct Pair {
  double value;
  int index;
} Pair;

static void pairs(void) {
  enum { kPairs = 700 };
  static Pair mine[kPairs];
  for (Kind kind = kCreate; kind < kKinds; kind++) {
    Window w = make_window(kind, sizeof mine);
    Pair* window = (Pair*)w.memory;
    for (int i = 0; i < kPairs; i++) {
      window[i] = (Pair){-1, -1};
      mine[i] = (Pair){(check_rank + i) % check_size, check_rank};
    }
    open_epoch(w.win, kFence);
    for (int r = 0; r < check_size; r++) {
      CHECK_OK(MPI_Accumulate(mine, kPairs, MPI_DOUBLE_INT, r, w.start[r], kPairs, MPI_DOUBLE_INT, MPI_MAXLOC, w.win));
    }
    close_epoch(w.win, kFence);
    for (int i = 0; i < kPairs; i++) {
      CHECK(window[i].value == check_size - 1);
      CHECK_EQ((window[i].index + i) % check_size, check_size - 1);
    }
    free_window(&w);
  }
}

// Only every third integer of the target is changed, from data with other gaps.
static void layouts(void) {
  enum { kInts = 1500 };
  MPI_Datatype thirds, seconds;
  CHECK_OK(MPI_Type_vector(kInts, 1, 3, MPI_INT, &thirds));
  CHECK_OK(MPI_Type_vector(kInts, 1, 2, MPI_INT, &seconds));
  CHECK_OK(MPI_Type_commit(&thirds));
  CHECK_OK(MPI_Type_commit(&seconds));
  int* in = check_alloc(2 * kInts * sizeof(int));
  for (int i = 0; i < 2 * kInts; i++) in[i] = i;
  for (Kind kind = kCreate; kind < kKinds; kind++) {
    Window w = make_window(kind, 3 * kInts * sizeof(int));
    int* window = (int*)w.memory;
    open_epoch(w.win, kFence);
    for (int r = 0; r < check_size; r++) {
      CHECK_OK(MPI_Accumulate(in, 1, seconds, r, w.start[r], 1, thirds, MPI_SUM, w.win));
    }
    close_epoch(w.win, kFence);
    for (int i = 0; i < 3 * kInts - 2; i++) {
      if (!CHECK_EQ(window[i], i % 3 ? 0 : check_size * (i / 3) * 2)) break;
    }
    free_window(&w);
  }
  free(in);
  CHECK_OK(MPI_Type_free(&seconds));
  CHECK_OK(MPI_Type_free(&thirds));
}

// Accumulates of one origin to one place happen in the order of the calls.
static void order(void) {
  Window w = make_window(kAllocate, (size_t)check_size * sizeof(int));
  const MPI_Aint at = check_rank * (MPI_Aint)sizeof(int);
  int values[101];
  for (int i = 0; i <= 100; i++) values[i] = i;
  open_epoch(w.win, kFence);
  for (int i = 0; i <= 100; i++) CHECK_OK(MPI_Accumulate(&values[i], 1, MPI_INT, 0, at, 1, MPI_INT, MPI_REPLACE, w.win));
  close_epoch(w.win, kFence);
  if (check_rank == 0) {
    for (int r = 0; r < check_size; r++) CHECK_EQ(((int*)w.memory)[r], 100);
  }
  free_window(&w);
}

// A large array under the exclusive lock, with the functions for large counts.
static void large(void) {
  enum { kDoubles = 1 << 17 };
  double* in = check_alloc(kDoubles * sizeof(double));
  for (int i = 0; i < kDoubles; i++) in[i] = i;
  for (Kind kind = kCreate; kind < kDynamic; kind++) {
    Window w = make_window(kind, kDoubles * sizeof(double));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w.win));
    CHECK_OK(MPI_Accumulate_c(in, kDoubles, MPI_DOUBLE, 0, w.start[0], kDoubles, MPI_DOUBLE, MPI_SUM, w.win));
    CHECK_OK(MPI_Win_unlock(0, w.win));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    if (check_rank == 0) {
      for (int i = 0; i < kDoubles; i++) {
        if (!CHECK(((double*)w.memory)[i] == 1.0 * i * check_size)) break;
      }
    }
    free_window(&w);
  }
  free(in);
}

static const CheckCase kCases[] = {
    {"all operations and types", all_operations, 0},
    {"one element", fetch_one, 0},
    {"concurrent", concurrent, 0},
    {"lock of compare-and-swap", spin_lock, 0},
    {"pairs", pairs, 0},
    {"layouts", layouts, 0},
    {"order", order, 0},
    {"large", large, 0},
};
CHECK_MAIN(kCases)
