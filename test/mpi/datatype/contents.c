// SPDX-License-Identifier: BSD-3-Clause
// Envelopes and contents: what a constructor was given comes back.
#include "../check.h"

enum { kMax = 32 };

typedef struct Expected {
  int combiner, integers, addresses, types;
  int i[kMax];
  MPI_Aint a[kMax];
  MPI_Datatype t[kMax];
} Expected;

// Compares and frees the type. Predefined member types come back as themselves.
static void check_contents(MPI_Datatype type, const Expected* want) {
  int integers = -1, addresses = -1, types = -1, combiner = -1, i[kMax];
  MPI_Aint a[kMax];
  MPI_Datatype t[kMax];
  CHECK_OK(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
  CHECK_EQ(combiner, want->combiner);
  if (!CHECK_EQ(integers, want->integers) || !CHECK_EQ(addresses, want->addresses) || !CHECK_EQ(types, want->types)) return;
  CHECK_OK(MPI_Type_get_contents(type, kMax, kMax, kMax, i, a, t));
  for (int k = 0; k < integers; k++) CHECK_EQ(i[k], want->i[k]);
  for (int k = 0; k < addresses; k++) CHECK_EQ(a[k], want->a[k]);
  for (int k = 0; k < types; k++) CHECK(t[k] == want->t[k]);
  CHECK_OK(MPI_Type_free(&type));
}

static void simple(void) {
  MPI_Datatype type;
  CHECK_OK(MPI_Type_dup(MPI_INT, &type));
  check_contents(type, &(Expected){MPI_COMBINER_DUP, 0, 0, 1, .t = {MPI_INT}});
  CHECK_OK(MPI_Type_contiguous(7, MPI_DOUBLE, &type));
  check_contents(type, &(Expected){MPI_COMBINER_CONTIGUOUS, 1, 0, 1, .i = {7}, .t = {MPI_DOUBLE}});
  CHECK_OK(MPI_Type_vector(3, 2, -5, MPI_SHORT, &type));
  check_contents(type, &(Expected){MPI_COMBINER_VECTOR, 3, 0, 1, .i = {3, 2, -5}, .t = {MPI_SHORT}});
  CHECK_OK(MPI_Type_create_hvector(3, 2, 99, MPI_SHORT, &type));
  check_contents(type, &(Expected){MPI_COMBINER_HVECTOR, 2, 1, 1, .i = {3, 2}, .a = {99}, .t = {MPI_SHORT}});
  CHECK_OK(MPI_Type_create_resized(MPI_CHAR, -3, 11, &type));
  check_contents(type, &(Expected){MPI_COMBINER_RESIZED, 0, 2, 1, .a = {-3, 11}, .t = {MPI_CHAR}});
}

static void indexed(void) {
  static const int lengths[] = {1, 0, 3}, places[] = {4, -2, 9};
  static const MPI_Aint bytes[] = {40, -7, 1000};
  MPI_Datatype type;
  CHECK_OK(MPI_Type_indexed(3, lengths, places, MPI_INT, &type));
  check_contents(type, &(Expected){MPI_COMBINER_INDEXED, 7, 0, 1, .i = {3, 1, 0, 3, 4, -2, 9}, .t = {MPI_INT}});
  CHECK_OK(MPI_Type_create_hindexed(3, lengths, bytes, MPI_INT, &type));
  check_contents(type, &(Expected){MPI_COMBINER_HINDEXED, 4, 3, 1, .i = {3, 1, 0, 3}, .a = {40, -7, 1000}, .t = {MPI_INT}});
  CHECK_OK(MPI_Type_create_indexed_block(3, 2, places, MPI_INT, &type));
  check_contents(type, &(Expected){MPI_COMBINER_INDEXED_BLOCK, 5, 0, 1, .i = {3, 2, 4, -2, 9}, .t = {MPI_INT}});
  CHECK_OK(MPI_Type_create_hindexed_block(3, 2, bytes, MPI_INT, &type));
  check_contents(type, &(Expected){MPI_COMBINER_HINDEXED_BLOCK, 2, 3, 1, .i = {3, 2}, .a = {40, -7, 1000}, .t = {MPI_INT}});
  const MPI_Datatype parts[] = {MPI_INT, MPI_DOUBLE, MPI_BYTE};
  CHECK_OK(MPI_Type_create_struct(3, lengths, bytes, parts, &type));
  check_contents(type, &(Expected){MPI_COMBINER_STRUCT, 4, 3, 3, .i = {3, 1, 0, 3}, .a = {40, -7, 1000},
                                   .t = {MPI_INT, MPI_DOUBLE, MPI_BYTE}});
}

static void arrays(void) {
  static const int sizes[] = {6, 7}, parts[] = {2, 3}, starts[] = {1, 4}, processes[] = {2, 3};
  const int kinds[] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, arguments[] = {MPI_DISTRIBUTE_DFLT_DARG, 2};
  MPI_Datatype type;
  CHECK_OK(MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_FORTRAN, MPI_INT, &type));
  check_contents(type,
                 &(Expected){MPI_COMBINER_SUBARRAY, 8, 0, 1, .i = {2, 6, 7, 2, 3, 1, 4, MPI_ORDER_FORTRAN}, .t = {MPI_INT}});
  CHECK_OK(MPI_Type_create_darray(6, 4, 2, sizes, kinds, arguments, processes, MPI_ORDER_C, MPI_INT, &type));
  check_contents(type, &(Expected){MPI_COMBINER_DARRAY, 12, 0, 1,
                                   .i = {6, 4, 2, 6, 7, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_DFLT_DARG,
                                         2, 2, 3, MPI_ORDER_C},
                                   .t = {MPI_INT}});
}

// Predefined types are named, and have no contents.
static void named(void) {
  static const struct {
    const char* name;
  } kNames[] = {{"MPI_INT"}, {"MPI_DOUBLE"}, {"MPI_BYTE"}, {"MPI_DOUBLE_INT"}};
  const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE, MPI_BYTE, MPI_DOUBLE_INT};
  for (int k = 0; k < 4; k++) {
    int integers, addresses, count, combiner, length;
    char name[MPI_MAX_OBJECT_NAME];
    CHECK_OK(MPI_Type_get_envelope(types[k], &integers, &addresses, &count, &combiner));
    CHECK_EQ(combiner, MPI_COMBINER_NAMED);
    CHECK_EQ(integers + addresses + count, 0);
    int i[1];
    MPI_Aint a[1];
    MPI_Datatype t[1];
    CHECK(MPI_Type_get_contents(types[k], 1, 1, 1, i, a, t) != MPI_SUCCESS);
    CHECK_OK(MPI_Type_get_name(types[k], name, &length));
    CHECK_STR(name, kNames[k].name);
    CHECK_EQ(length, strlen(name));
  }
}

// A derived member type comes back as a new handle, which the caller frees and which works.
static void derived_members(void) {
  MPI_Datatype inner, outer, got;
  int i[2], integers, addresses, types, combiner, size;
  MPI_Aint a[2];
  CHECK_OK(MPI_Type_vector(4, 1, 2, MPI_INT, &inner));
  CHECK_OK(MPI_Type_contiguous(3, inner, &outer));
  CHECK_OK(MPI_Type_free(&inner));
  CHECK_OK(MPI_Type_get_contents(outer, 1, 0, 1, i, a, &got));
  CHECK_EQ(i[0], 3);
  CHECK_OK(MPI_Type_get_envelope(got, &integers, &addresses, &types, &combiner));
  CHECK_EQ(combiner, MPI_COMBINER_VECTOR);
  CHECK_OK(MPI_Type_free(&outer));
  CHECK_OK(MPI_Type_size(got, &size));
  CHECK_EQ(size, 16);
  CHECK_OK(MPI_Type_free(&got));
  // A duplicate has the same contents as what it was made from, one level down.
  CHECK_OK(MPI_Type_vector(4, 1, 2, MPI_INT, &inner));
  CHECK_OK(MPI_Type_dup(inner, &outer));
  CHECK_OK(MPI_Type_free(&inner));
  CHECK_OK(MPI_Type_get_contents(outer, 0, 0, 1, i, a, &got));
  CHECK_OK(MPI_Type_get_envelope(got, &integers, &addresses, &types, &combiner));
  CHECK_EQ(combiner, MPI_COMBINER_VECTOR);
  CHECK_OK(MPI_Type_free(&outer));
  CHECK_OK(MPI_Type_free(&got));
}

static void names(void) {
  MPI_Datatype type;
  char name[MPI_MAX_OBJECT_NAME], longest[MPI_MAX_OBJECT_NAME];
  int length = -1;
  CHECK_OK(MPI_Type_contiguous(2, MPI_INT, &type));
  CHECK_OK(MPI_Type_get_name(type, name, &length));
  CHECK_EQ(length, 0);
  CHECK_OK(MPI_Type_set_name(type, "pair of ints"));
  CHECK_OK(MPI_Type_get_name(type, name, &length));
  CHECK_STR(name, "pair of ints");
  memset(longest, 'x', sizeof longest - 1);
  longest[sizeof longest - 1] = 0;
  CHECK_OK(MPI_Type_set_name(type, longest));
  CHECK_OK(MPI_Type_get_name(type, name, &length));
  CHECK_STR(name, longest);
  CHECK_EQ(length, MPI_MAX_OBJECT_NAME - 1);
  CHECK_OK(MPI_Type_free(&type));
}

static const CheckCase kCases[] = {
    {"simple constructors", simple, 0}, {"indexed constructors", indexed, 0},    {"array constructors", arrays, 0},
    {"named types", named, 0},          {"derived members", derived_members, 0}, {"names of types", names, 0},
};
CHECK_MAIN(kCases)
