// SPDX-License-Identifier: BSD-3-Clause
// Windows as objects: attributes, names, hints, groups, shared memory, attached memory, sizes that differ.
#include "windows.h"

static void attributes(void) {
  static const int flavors[] = {MPI_WIN_FLAVOR_CREATE, MPI_WIN_FLAVOR_ALLOCATE, MPI_WIN_FLAVOR_SHARED, MPI_WIN_FLAVOR_DYNAMIC};
  for (Kind kind = kCreate; kind < kKinds; kind++) {
    Window w = make_window(kind, 160);
    void* base = NULL;
    int flag = 0, *number = NULL;
    MPI_Aint* size = NULL;
    CHECK_OK(MPI_Win_get_attr(w.win, MPI_WIN_BASE, &base, &flag));
    CHECK(flag && base == (kind == kDynamic ? MPI_BOTTOM : w.memory));
    CHECK_OK(MPI_Win_get_attr(w.win, MPI_WIN_SIZE, &size, &flag));
    CHECK(flag && *size == (kind == kDynamic ? 0 : 160));
    CHECK_OK(MPI_Win_get_attr(w.win, MPI_WIN_DISP_UNIT, &number, &flag));
    CHECK(flag && *number == 1);
    CHECK_OK(MPI_Win_get_attr(w.win, MPI_WIN_CREATE_FLAVOR, &number, &flag));
    CHECK(flag && *number == flavors[kind]);
    CHECK_OK(MPI_Win_get_attr(w.win, MPI_WIN_MODEL, &number, &flag));
    CHECK(flag && *number == MPI_WIN_UNIFIED);
    free_window(&w);
  }
}

static int deleted;
static int delete_attribute(MPI_Win win, int keyval, void* value, void* extra) {
  (void)win, (void)keyval, (void)value;
  ++*(int*)extra;
  return MPI_SUCCESS;
}

static void user_attributes(void) {
  Window w = make_window(kCreate, 8);
  int keyval, flag = -1, value = 7, *found = NULL;
  deleted = 0;
  CHECK_OK(MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, delete_attribute, &keyval, &deleted));
  CHECK_OK(MPI_Win_get_attr(w.win, keyval, &found, &flag));
  CHECK_EQ(flag, 0);
  CHECK_OK(MPI_Win_set_attr(w.win, keyval, &value));
  CHECK_OK(MPI_Win_get_attr(w.win, keyval, &found, &flag));
  CHECK(flag && found == &value);
  CHECK_OK(MPI_Win_delete_attr(w.win, keyval));
  CHECK_EQ(deleted, 1);
  CHECK_OK(MPI_Win_set_attr(w.win, keyval, &value));
  CHECK_OK(MPI_Win_free_keyval(&keyval));
  CHECK_EQ(keyval, MPI_KEYVAL_INVALID);
  free_window(&w);
  CHECK_EQ(deleted, 2);
}

static void names_groups_and_hints(void) {
  Window w = make_window(kAllocate, 8);
  char name[MPI_MAX_OBJECT_NAME], value[100];
  int length = -1, flag = 0, result;
  MPI_Group group, world;
  MPI_Info info, used;
  CHECK_OK(MPI_Win_get_name(w.win, name, &length));
  CHECK_EQ(length, 0);
  CHECK_OK(MPI_Win_set_name(w.win, "counters"));
  CHECK_OK(MPI_Win_get_name(w.win, name, &length));
  CHECK_STR(name, "counters");
  CHECK_OK(MPI_Win_get_group(w.win, &group));
  CHECK_OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
  CHECK_OK(MPI_Group_compare(group, world, &result));
  CHECK_EQ(result, MPI_IDENT);
  CHECK_OK(MPI_Group_free(&group));
  CHECK_OK(MPI_Group_free(&world));
  CHECK_OK(MPI_Info_create(&info));
  CHECK_OK(MPI_Info_set(info, "no_locks", "true"));
  CHECK_OK(MPI_Win_set_info(w.win, info));
  CHECK_OK(MPI_Info_free(&info));
  CHECK_OK(MPI_Win_get_info(w.win, &used));
  length = sizeof value;
  CHECK_OK(MPI_Info_get_string(used, "no_locks", &length, value, &flag));
  CHECK(flag);
  CHECK_STR(value, "true");
  CHECK_OK(MPI_Info_free(&used));
  free_window(&w);
}

// Sizes differ; the memory is one piece unless the hint says otherwise; everybody sees what everybody stores.
static void shared_memory(void) {
  for (int apart = 0; apart < 2; apart++) {
    const MPI_Aint mine = (check_rank % 3) * 24;  // some have nothing
    MPI_Info info;
    MPI_Win win;
    char *memory, *before = NULL, *at;
    MPI_Aint size;
    int unit;
    CHECK_OK(MPI_Info_create(&info));
    CHECK_OK(MPI_Info_set(info, "alloc_shared_noncontig", apart ? "true" : "false"));
    CHECK_OK(MPI_Win_allocate_shared(mine, 8, info, MPI_COMM_WORLD, &memory, &win));
    CHECK_OK(MPI_Info_free(&info));
    CHECK_OK(MPI_Win_lock_all(0, win));
    memset(memory, check_rank + 1, (size_t)mine);
    CHECK_OK(MPI_Win_sync(win));
    CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
    CHECK_OK(MPI_Win_sync(win));
    for (int r = 0; r < check_size; r++) {
      CHECK_OK(MPI_Win_shared_query(win, r, &size, &unit, &at));
      CHECK_EQ(size, (r % 3) * 24);
      CHECK_EQ(unit, 8);
      for (int i = 0; i < size; i++) CHECK_EQ(at[i], r + 1);
      if (size > 0 && before && !apart) CHECK(at == before);
      if (size > 0) before = at + size;
    }
    CHECK_OK(MPI_Win_shared_query(win, MPI_PROC_NULL, &size, &unit, &at));
    CHECK_EQ(size, check_size > 1 ? 24 : 0);
    CHECK_OK(MPI_Win_unlock_all(win));
    CHECK_OK(MPI_Win_free(&win));
  }
}

static void attach_and_detach(void) {
  enum { kPieces = 40, kInts = 10 };
  MPI_Win win;
  int* pieces[kPieces];
  MPI_Aint mine[kPieces], *all = check_alloc((size_t)check_size * sizeof mine);
  CHECK_OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  for (int i = 0; i < kPieces; i++) {
    pieces[i] = check_alloc(kInts * sizeof(int));
    CHECK_OK(MPI_Win_attach(win, pieces[i], kInts * sizeof(int)));
    CHECK_OK(MPI_Get_address(pieces[i], &mine[i]));
  }
  CHECK_OK(MPI_Allgather(mine, kPieces, MPI_AINT, all, kPieces, MPI_AINT, MPI_COMM_WORLD));
  const int right = (check_rank + 1) % check_size, left = (check_rank + check_size - 1) % check_size;
  CHECK_OK(MPI_Win_fence(0, win));
  static int values[kPieces][kInts];
  for (int i = 0; i < kPieces; i++) {
    for (int k = 0; k < kInts; k++) values[i][k] = check_rank * 10000 + i * 100 + k;
    CHECK_OK(MPI_Put(values[i], kInts, MPI_INT, right, all[right * kPieces + i], kInts, MPI_INT, win));
  }
  CHECK_OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
  for (int i = 0; i < kPieces; i++) {
    for (int k = 0; k < kInts; k++) CHECK_EQ(pieces[i][k], left * 10000 + i * 100 + k);
    CHECK_OK(MPI_Win_detach(win, pieces[i]));
    free(pieces[i]);
  }
  CHECK_OK(MPI_Win_free(&win));
  free(all);
}

// An access may go over several pieces that were attached. To MPI_PROC_NULL all are allowed.
static void adjacent_pieces(void) {
  enum { kInts = 10 };
  MPI_Win win;
  static int memory[2 * kInts], values[2 * kInts];
  MPI_Aint mine, *all = check_alloc((size_t)check_size * sizeof mine);
  CHECK_OK(MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win));
  CHECK_OK(MPI_Win_attach(win, memory + kInts, kInts * sizeof(int)));
  CHECK_OK(MPI_Win_attach(win, memory, kInts * sizeof(int)));
  CHECK_OK(MPI_Get_address(memory, &mine));
  CHECK_OK(MPI_Allgather(&mine, 1, MPI_AINT, all, 1, MPI_AINT, MPI_COMM_WORLD));
  const int right = (check_rank + 1) % check_size, left = (check_rank + check_size - 1) % check_size;
  for (int i = 0; i < 2 * kInts; i++) values[i] = check_rank * 100 + i;
  CHECK_OK(MPI_Win_fence(0, win));
  CHECK_OK(MPI_Put(values, 2 * kInts, MPI_INT, right, all[right], 2 * kInts, MPI_INT, win));
  MPI_Request request;
  CHECK_OK(MPI_Rput(values, 1, MPI_INT, MPI_PROC_NULL, all[right], 1, MPI_INT, win, &request));
  CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
  CHECK_OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
  for (int i = 0; i < 2 * kInts; i++) CHECK_EQ(memory[i], left * 100 + i);
  CHECK_OK(MPI_Win_detach(win, memory));
  CHECK_OK(MPI_Win_detach(win, memory + kInts));
  CHECK_OK(MPI_Win_free(&win));
  free(all);
}

// Only some have memory; and many windows one after the other and at once.
static void many_windows(void) {
  enum { kAtOnce = 20 };
  MPI_Win wins[kAtOnce];
  int value = check_rank, memory = -1;
  for (int i = 0; i < kAtOnce; i++) {
    const int has = check_rank == i % check_size;
    CHECK_OK(
        MPI_Win_create(has ? &memory : NULL, has ? sizeof memory : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &wins[i]));
    CHECK_OK(MPI_Win_fence(0, wins[i]));
    if (check_rank == 0) CHECK_OK(MPI_Put(&i, 1, MPI_INT, i % check_size, 0, 1, MPI_INT, wins[i]));
    CHECK_OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, wins[i]));
    if (has) CHECK_EQ(memory, i);
  }
  for (int i = kAtOnce - 1; i >= 0; i--) CHECK_OK(MPI_Win_free(&wins[i]));
  for (int i = 0; i < 50; i++) {
    int* mine;
    MPI_Win win;
    CHECK_OK(MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win));
    *mine = value;
    CHECK_OK(MPI_Win_fence(0, win));
    CHECK_OK(MPI_Get(&memory, 1, MPI_INT, (check_rank + i) % check_size, 0, 1, MPI_INT, win));
    CHECK_OK(MPI_Win_fence(MPI_MODE_NOSUCCEED, win));
    CHECK_EQ(memory, (check_rank + i) % check_size);
    CHECK_OK(MPI_Win_free(&win));
  }
}

static const CheckCase kCases[] = {
    {"attributes", attributes, 0},
    {"attributes of users", user_attributes, 0},
    {"names, groups, hints", names_groups_and_hints, 0},
    {"shared memory", shared_memory, 0},
    {"attach and detach", attach_and_detach, 0},
    {"adjacent pieces", adjacent_pieces, 0},
    {"many windows", many_windows, 0},
};
CHECK_MAIN(kCases)
