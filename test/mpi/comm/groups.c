// SPDX-License-Identifier: BSD-3-Clause
// Group arithmetic, checked by translating ranks back to the world's.
#include "../check.h"

static MPI_Group world;

// The world ranks of a group's members, in order; -1 behind the end.
static void members(MPI_Group group, int* ranks) {
  int size;
  CHECK_OK(MPI_Group_size(group, &size));
  int* all = check_alloc((size_t)(size + 1) * sizeof(int));
  for (int i = 0; i < size; i++) all[i] = i;
  CHECK_OK(MPI_Group_translate_ranks(group, size, all, world, ranks));
  ranks[size] = -1;
  free(all);
}

static void check_members(MPI_Group group, int count, const int* want) {
  int size = -1, rank = -1, mine = MPI_UNDEFINED;
  int* got = check_alloc((size_t)(check_size + 2) * sizeof(int));
  CHECK_OK(MPI_Group_size(group, &size));
  CHECK_EQ(size, count);
  members(group, got);
  for (int i = 0; i < count; i++) {
    CHECK_EQ(got[i], want[i]);
    if (want[i] == check_rank) mine = i;
  }
  CHECK_OK(MPI_Group_rank(group, &rank));
  CHECK_EQ(rank, mine);
  free(got);
}

// Members: all even ranks; all odd ranks; reversed.
static void include_exclude(void) {
  int* evens = check_alloc((size_t)check_size * sizeof(int));
  int* odds = check_alloc((size_t)check_size * sizeof(int));
  int* reversed = check_alloc((size_t)check_size * sizeof(int));
  int even_count = (check_size + 1) / 2, odd_count = check_size / 2;
  for (int i = 0; i < check_size; i++) (i % 2 ? odds : evens)[i / 2] = i, reversed[i] = check_size - 1 - i;
  MPI_Group group, other;
  CHECK_OK(MPI_Group_incl(world, even_count, evens, &group));
  check_members(group, even_count, evens);
  CHECK_OK(MPI_Group_excl(world, odd_count, odds, &other));
  check_members(other, even_count, evens);
  int result;
  CHECK_OK(MPI_Group_compare(group, other, &result));
  CHECK_EQ(result, MPI_IDENT);
  CHECK_OK(MPI_Group_free(&group));
  CHECK(group == MPI_GROUP_NULL);
  CHECK_OK(MPI_Group_free(&other));
  CHECK_OK(MPI_Group_incl(world, check_size, reversed, &group));
  check_members(group, check_size, reversed);
  CHECK_OK(MPI_Group_compare(group, world, &result));
  CHECK_EQ(result, check_size == 1 ? MPI_IDENT : MPI_SIMILAR);
  CHECK_OK(MPI_Group_free(&group));
  CHECK_OK(MPI_Group_incl(world, 0, NULL, &group));
  CHECK(group == MPI_GROUP_EMPTY);
  CHECK_OK(MPI_Group_compare(group, world, &result));
  CHECK_EQ(result, MPI_UNEQUAL);
  CHECK_OK(MPI_Group_excl(world, 0, NULL, &group));
  CHECK_OK(MPI_Group_compare(group, world, &result));
  CHECK_EQ(result, MPI_IDENT);
  CHECK_OK(MPI_Group_free(&group));
  free(reversed);
  free(odds);
  free(evens);
}

static void ranges(void) {
  int last = check_size - 1, want[64], n = 0, result;
  int up[1][3] = {{0, last, 2}}, down[1][3] = {{last, 0, -3}};
  MPI_Group group, other;
  for (int i = 0; i <= last; i += 2) want[n++] = i;
  CHECK_OK(MPI_Group_range_incl(world, 1, up, &group));
  check_members(group, n, want);
  CHECK_OK(MPI_Group_free(&group));
  n = 0;
  for (int i = last; i >= 0; i -= 3) want[n++] = i;
  CHECK_OK(MPI_Group_range_incl(world, 1, down, &group));
  check_members(group, n, want);
  CHECK_OK(MPI_Group_range_excl(world, 1, down, &other));
  MPI_Group both;
  CHECK_OK(MPI_Group_union(group, other, &both));
  CHECK_OK(MPI_Group_compare(both, world, &result));
  CHECK(result == MPI_SIMILAR || result == MPI_IDENT);
  CHECK_OK(MPI_Group_free(&both));
  CHECK_OK(MPI_Group_intersection(group, other, &both));
  CHECK(both == MPI_GROUP_EMPTY);
  if (group != MPI_GROUP_EMPTY) CHECK_OK(MPI_Group_free(&group));
  if (other != MPI_GROUP_EMPTY) CHECK_OK(MPI_Group_free(&other));
}

// Order in results: that of the first group, then what is new in the second.
static void set_operations(void) {
  int a[2], b[2], want[4], result;
  a[0] = check_size - 1, a[1] = 0, b[0] = check_size - 1, b[1] = 1;
  MPI_Group ga, gb, group;
  CHECK_OK(MPI_Group_incl(world, 2, a, &ga));
  CHECK_OK(MPI_Group_incl(world, check_size == 2 ? 1 : 2, b, &gb));
  CHECK_OK(MPI_Group_union(ga, gb, &group));
  want[0] = check_size - 1, want[1] = 0, want[2] = 1;
  check_members(group, check_size == 2 ? 2 : 3, want);
  CHECK_OK(MPI_Group_free(&group));
  CHECK_OK(MPI_Group_intersection(gb, ga, &group));
  check_members(group, 1, want);
  CHECK_OK(MPI_Group_compare(group, ga, &result));
  CHECK_EQ(result, MPI_UNEQUAL);
  CHECK_OK(MPI_Group_free(&group));
  CHECK_OK(MPI_Group_difference(ga, gb, &group));
  want[0] = 0;
  check_members(group, 1, want);
  CHECK_OK(MPI_Group_free(&group));
  CHECK_OK(MPI_Group_difference(ga, ga, &group));
  CHECK(group == MPI_GROUP_EMPTY);
  CHECK_OK(MPI_Group_free(&ga));
  CHECK_OK(MPI_Group_free(&gb));
}

static void translate(void) {
  MPI_Group self;
  int zero = 0, got = -1, nobody = MPI_PROC_NULL;
  CHECK_OK(MPI_Comm_group(MPI_COMM_SELF, &self));
  CHECK_OK(MPI_Group_translate_ranks(self, 1, &zero, world, &got));
  CHECK_EQ(got, check_rank);
  for (int i = 0; i < check_size; i++) {
    CHECK_OK(MPI_Group_translate_ranks(world, 1, &i, self, &got));
    CHECK_EQ(got, i == check_rank ? 0 : MPI_UNDEFINED);
  }
  CHECK_OK(MPI_Group_translate_ranks(world, 1, &nobody, self, &got));
  CHECK_EQ(got, MPI_PROC_NULL);
  CHECK_OK(MPI_Group_free(&self));
}

static void wrong_ranks(void) {
  MPI_Group group;
  int outside = check_size;
  CHECK_CLASS(MPI_Group_incl(world, 1, &outside, &group), MPI_ERR_RANK);
  CHECK_CLASS(MPI_Group_excl(world, 1, &outside, &group), MPI_ERR_RANK);
}

static void open_world(void) { CHECK_OK(MPI_Comm_group(MPI_COMM_WORLD, &world)); }
static void close_world(void) { CHECK_OK(MPI_Group_free(&world)); }

static const CheckCase kCases[] = {
    {"group of the world", open_world, 0},
    {"incl and excl", include_exclude, 0},
    {"ranges", ranges, 0},
    {"set operations", set_operations, 2},
    {"translate", translate, 0},
    {"wrong ranks", wrong_ranks, 0},
    {"free", close_world, 0},
};
CHECK_MAIN(kCases)
