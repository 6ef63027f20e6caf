// SPDX-License-Identifier: BSD-3-Clause
// Every type constructor against a type map written down by hand: size, bounds, true bounds, and the order in which packing
// visits the bytes.
#include "../check.h"

enum { kMaxEntries = 64, kOrigin = 512, kRoom = 2048 };

// A type map of single-byte entries: displacements in the order of the map.
typedef struct Map {
  int count;
  MPI_Aint at[kMaxEntries];
  MPI_Aint lb, ub;
} Map;

static void add(Map* map, MPI_Aint displacement, int bytes) {
  for (int i = 0; i < bytes; i++) map->at[map->count++] = displacement + i;
}

// Bounds without markers: smallest displacement, largest end. The maps of this file leave no padding open (MPI 5.0, 5.1:
// implementations differ in whether they round the extent of types other than structs).
static void set_bounds(Map* map) {
  map->lb = map->count ? map->at[0] : 0;
  map->ub = map->count ? map->at[0] + 1 : 0;
  for (int i = 0; i < map->count; i++) {
    if (map->at[i] < map->lb) map->lb = map->at[i];
    if (map->at[i] + 1 > map->ub) map->ub = map->at[i] + 1;
  }
}

static void check_bounds(const Map* map, MPI_Datatype type) {
  int size;
  MPI_Aint lb, extent, low = 0, high = 0;
  CHECK_OK(MPI_Type_size(type, &size));
  CHECK_EQ(size, map->count);
  CHECK_OK(MPI_Type_get_extent(type, &lb, &extent));
  CHECK_EQ(lb, map->lb);
  CHECK_EQ(extent, map->ub - map->lb);
  for (int i = 0; i < map->count; i++) {
    if (i == 0 || map->at[i] < low) low = map->at[i];
    if (i == 0 || map->at[i] + 1 > high) high = map->at[i] + 1;
  }
  CHECK_OK(MPI_Type_get_true_extent(type, &lb, &extent));
  CHECK_EQ(lb, low);
  CHECK_EQ(extent, high - low);
}

// Packs two items of the type and unpacks them elsewhere; both must follow the map. Frees the type.
static void check_type(const char* name, const Map* map, MPI_Datatype type) {
  int before = atomic_load(&check_failures);
  CHECK_OK(MPI_Type_commit(&type));
  check_bounds(map, type);
  unsigned char memory[kRoom], packed[2 * kMaxEntries] = {0}, back[kRoom], expected[kRoom];
  int position = 0;
  check_fill(memory, kRoom, 77);
  CHECK_OK(MPI_Pack(memory + kOrigin, 2, type, packed, sizeof packed, &position, MPI_COMM_WORLD));
  CHECK_EQ(position, 2 * map->count);
  memset(expected, 0xaa, kRoom);
  for (int item = 0; item < 2; item++) {
    for (int i = 0; i < map->count; i++) {
      MPI_Aint at = kOrigin + item * (map->ub - map->lb) + map->at[i];
      CHECK_EQ(packed[item * map->count + i], memory[at]);
      expected[at] = memory[at];
    }
  }
  memset(back, 0xaa, kRoom);
  position = 0;
  CHECK_OK(MPI_Unpack(packed, 2 * map->count, &position, back + kOrigin, 2, type, MPI_COMM_WORLD));
  CHECK_EQ(position, 2 * map->count);
  CHECK_BYTES(back, expected, kRoom);
  CHECK_OK(MPI_Type_free(&type));
  CHECK(type == MPI_DATATYPE_NULL);
  if (atomic_load(&check_failures) != before) fprintf(stderr, "  in %s\n", name);
}

static void contiguous(void) {
  MPI_Datatype type;
  Map map = {0};
  add(&map, 0, 20);
  set_bounds(&map);
  CHECK_OK(MPI_Type_contiguous(5, MPI_INT, &type));
  check_type("5 ints", &map, type);
  Map empty = {0};
  CHECK_OK(MPI_Type_contiguous(0, MPI_INT, &type));
  check_type("no ints", &empty, type);
  CHECK_OK(MPI_Type_dup(MPI_DOUBLE, &type));
  Map one = {0};
  add(&one, 0, 8);
  set_bounds(&one);
  check_type("a duplicate of double", &one, type);
}

static void vectors(void) {
  MPI_Datatype type;
  Map map = {0};
  for (int i = 0; i < 3; i++) add(&map, 16 * i, 8);
  set_bounds(&map);
  CHECK_OK(MPI_Type_vector(3, 2, 4, MPI_INT, &type));
  check_type("vector", &map, type);
  Map back = {0};
  for (int i = 0; i < 3; i++) add(&back, -12 * i, 8);
  set_bounds(&back);
  CHECK_OK(MPI_Type_vector(3, 2, -3, MPI_INT, &type));
  check_type("vector with negative stride", &back, type);
  Map odd = {0};
  for (int i = 0; i < 4; i++) add(&odd, 7 * i, 2);
  set_bounds(&odd);
  CHECK_OK(MPI_Type_create_hvector(4, 2, 7, MPI_CHAR, &type));
  check_type("hvector with odd stride", &odd, type);
  Map same = {0};
  for (int i = 0; i < 3; i++) add(&same, 0, 4);
  set_bounds(&same);
  CHECK_OK(MPI_Type_vector(3, 1, 0, MPI_INT, &type));
  MPI_Aint lb, extent;
  int size;
  CHECK_OK(MPI_Type_size(type, &size));
  CHECK_EQ(size, 12);
  CHECK_OK(MPI_Type_get_extent(type, &lb, &extent));
  CHECK_EQ(extent, 4);
  CHECK_OK(MPI_Type_free(&type));
}

static void indexed(void) {
  static const int lengths[] = {2, 0, 1, 3}, places[] = {5, 100, 0, 9};
  static const MPI_Aint bytes[] = {-30, 100, 3, 40};
  MPI_Datatype type;
  Map map = {0};
  for (int i = 0; i < 4; i++) add(&map, 4 * places[i], 4 * lengths[i]);
  set_bounds(&map);
  CHECK_OK(MPI_Type_indexed(4, lengths, places, MPI_INT, &type));
  check_type("indexed", &map, type);
  Map h = {0};
  for (int i = 0; i < 4; i++) add(&h, bytes[i], 2 * lengths[i]);
  set_bounds(&h);
  CHECK_OK(MPI_Type_create_hindexed(4, lengths, bytes, MPI_SHORT, &type));
  check_type("hindexed", &h, type);
  static const int blocks[] = {4, -2, 9};
  Map b = {0};
  for (int i = 0; i < 3; i++) add(&b, 4 * blocks[i], 8);
  set_bounds(&b);
  CHECK_OK(MPI_Type_create_indexed_block(3, 2, blocks, MPI_FLOAT, &type));
  check_type("indexed_block", &b, type);
  static const MPI_Aint far[] = {51, 1, -9};
  Map hb = {0};
  for (int i = 0; i < 3; i++) add(&hb, far[i], 8);
  set_bounds(&hb);
  CHECK_OK(MPI_Type_create_hindexed_block(3, 2, far, MPI_INT, &type));
  check_type("hindexed_block", &hb, type);
}

// A struct whose extent is padded to the alignment of its members, as a C compiler would.
static void structs(void) {
  struct Mixed {
    char c;
    double d[2];
    short s;
    int i;
    char last;
  };
  const int lengths[] = {1, 2, 1, 1, 1};
  const MPI_Aint places[] = {offsetof(struct Mixed, c), offsetof(struct Mixed, d), offsetof(struct Mixed, s),
                             offsetof(struct Mixed, i), offsetof(struct Mixed, last)};
  const MPI_Datatype types[] = {MPI_CHAR, MPI_DOUBLE, MPI_SHORT, MPI_INT, MPI_CHAR};
  const int sizes[] = {1, 8, 2, 4, 1};
  MPI_Datatype type, inner;
  Map map = {0};
  for (int i = 0; i < 5; i++) add(&map, places[i], lengths[i] * sizes[i]);
  set_bounds(&map);
  map.ub = sizeof(struct Mixed);
  CHECK_OK(MPI_Type_create_struct(5, lengths, places, types, &type));
  check_type("struct with padding", &map, type);
  // Nested: a vector between two bytes, the members not in order of address.
  CHECK_OK(MPI_Type_vector(2, 1, 2, MPI_SHORT, &inner));
  const MPI_Datatype parts[] = {MPI_BYTE, inner, MPI_BYTE};
  const int counts[] = {1, 2, 3};
  const MPI_Aint at[] = {40, 8, -5};
  Map nested = {0};
  add(&nested, 40, 1);
  for (int item = 0; item < 2; item++) {
    for (int i = 0; i < 2; i++) add(&nested, 8 + 6 * item + 4 * i, 2);
  }
  add(&nested, -5, 3);
  set_bounds(&nested);
  nested.ub = 41;  // 46 bytes from -5: a multiple of the alignment of short
  CHECK_OK(MPI_Type_create_struct(3, counts, at, parts, &type));
  CHECK_OK(MPI_Type_free(&inner));  // the new type keeps what it needs
  check_type("nested struct", &nested, type);
}

static void resized(void) {
  MPI_Datatype type, vector, wide;
  CHECK_OK(MPI_Type_vector(2, 1, 2, MPI_INT, &vector));
  CHECK_OK(MPI_Type_create_resized(vector, -4, 20, &wide));
  Map map = {0};
  add(&map, 0, 4);
  add(&map, 8, 4);
  map.lb = -4;
  map.ub = 16;
  CHECK_OK(MPI_Type_dup(wide, &type));
  check_type("resized", &map, type);
  // Built on a resized type: the items stand 20 bytes apart, and the explicit bounds carry over.
  CHECK_OK(MPI_Type_contiguous(3, wide, &type));
  Map three = {0};
  for (int i = 0; i < 3; i++) add(&three, 20 * i, 4), add(&three, 20 * i + 8, 4);
  three.lb = -4;
  three.ub = 56;
  check_type("contiguous of resized", &three, type);
  // An extent smaller than the data: items overlap their neighbours' gaps.
  MPI_Datatype narrow;
  CHECK_OK(MPI_Type_create_resized(vector, 0, 4, &narrow));
  CHECK_OK(MPI_Type_create_hvector(2, 1, 4, narrow, &type));
  Map zip = {0};
  for (int i = 0; i < 2; i++) add(&zip, 4 * i, 4), add(&zip, 4 * i + 8, 4);
  zip.lb = 0;
  zip.ub = 8;
  MPI_Aint lb, extent;
  CHECK_OK(MPI_Type_get_extent(type, &lb, &extent));
  CHECK_EQ(extent, 8);
  CHECK_OK(MPI_Type_get_true_extent(type, &lb, &extent));
  CHECK_EQ(extent, 16);
  CHECK_OK(MPI_Type_free(&type));
  CHECK_OK(MPI_Type_free(&narrow));
  CHECK_OK(MPI_Type_free(&wide));
  CHECK_OK(MPI_Type_free(&vector));
}

static void deep_nesting(void) {
  MPI_Datatype type = MPI_BYTE, next;
  Map map = {0};
  // Five levels of vector(2, 1, 2): a byte at every displacement whose bits are even positions ... computed by doubling.
  MPI_Aint extent = 1;
  map.count = 1;
  for (int level = 0; level < 5; level++) {
    CHECK_OK(MPI_Type_vector(2, 1, 2, type, &next));
    if (type != MPI_BYTE) CHECK_OK(MPI_Type_free(&type));
    type = next;
    for (int i = 0; i < map.count; i++) map.at[map.count + i] = map.at[i] + 2 * extent;
    map.count *= 2;
    extent *= 3;
  }
  set_bounds(&map);
  check_type("five levels of vectors", &map, type);
}

static void predefined(void) {
  const struct {
    MPI_Datatype type;
    int size, extent;
  } kTypes[] = {
      {MPI_CHAR, 1, 1},
      {MPI_SHORT, 2, 2},
      {MPI_INT, 4, 4},
      {MPI_LONG, sizeof(long), sizeof(long)},
      {MPI_LONG_LONG, 8, 8},
      {MPI_FLOAT, 4, 4},
      {MPI_DOUBLE, 8, 8},
      {MPI_LONG_DOUBLE, sizeof(long double), sizeof(long double)},
      {MPI_BYTE, 1, 1},
      {MPI_PACKED, 1, 1},
      {MPI_WCHAR, sizeof(wchar_t), sizeof(wchar_t)},
      {MPI_C_BOOL, 1, 1},
      {MPI_INT8_T, 1, 1},
      {MPI_UINT64_T, 8, 8},
      {MPI_AINT, sizeof(MPI_Aint), sizeof(MPI_Aint)},
      {MPI_OFFSET, sizeof(MPI_Offset), sizeof(MPI_Offset)},
      {MPI_COUNT, sizeof(MPI_Count), sizeof(MPI_Count)},
      {MPI_C_FLOAT_COMPLEX, 8, 8},
      {MPI_C_DOUBLE_COMPLEX, 16, 16},
      {MPI_2INT, 8, 8},
      {MPI_FLOAT_INT, 8, 8},
      {MPI_DOUBLE_INT, 12, 16},
      {MPI_LONG_INT, sizeof(long) + 4, 2 * sizeof(long)},
      {MPI_SHORT_INT, 6, 8},
  };
  for (size_t i = 0; i < sizeof kTypes / sizeof *kTypes; i++) {
    int size;
    MPI_Aint lb, extent;
    CHECK_OK(MPI_Type_size(kTypes[i].type, &size));
    CHECK_EQ(size, kTypes[i].size);
    CHECK_OK(MPI_Type_get_extent(kTypes[i].type, &lb, &extent));
    CHECK_EQ(lb, 0);
    CHECK_EQ(extent, kTypes[i].extent);
  }
}

static const CheckCase kCases[] = {
    {"contiguous and dup", contiguous, 0},
    {"vectors", vectors, 0},
    {"indexed", indexed, 0},
    {"structs", structs, 0},
    {"resized", resized, 0},
    {"deep nesting", deep_nesting, 0},
    {"predefined types", predefined, 0},
};
CHECK_MAIN(kCases)
