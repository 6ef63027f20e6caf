// SPDX-License-Identifier: BSD-3-Clause
// Messages of derived datatypes: each layout is sent to each layout of the same signature, small and large, and nothing outside
// the layout may be touched at the receiver.
#include "../check.h"

enum { kTag = 3 };

// A layout of ints: `offset` gives the byte offset of element i relative to the buffer, whose `span` bytes it never leaves.
typedef struct Layout {
  const char* name;
  MPI_Datatype type;
  int elements;  // ints in one item of the type
  long (*offset)(int i);
} Layout;

static long offset_contiguous(int i) { return 4L * i; }
static long offset_vector(int i) { return 4L * (i / 6 * 15 + i % 6 / 2 * 5 + i % 2); }  // 3 blocks of 2, stride 5, extent 15
static long offset_resized(int i) { return 12L * i; }                                   // one int every 12 bytes
static long offset_reversed(int i) { return 4L * (i / 3 * 3 + 2 - i % 3); }             // three ints, last first
static long offset_negative(int i) { return 8L * (i / 2) - (i % 2 ? 0 : 400000L); }     // first int far below the buffer
static long offset_struct(int i) { return 24L * (i / 3) + (i % 3 == 0 ? 0 : 8 + 4 * (i % 3)); }  // gap after the first int

static MPI_Datatype resized(MPI_Datatype type, MPI_Aint lb, MPI_Aint extent) {
  MPI_Datatype result;
  CHECK_OK(MPI_Type_create_resized(type, lb, extent, &result));
  CHECK_OK(MPI_Type_free(&type));
  CHECK_OK(MPI_Type_commit(&result));
  return result;
}

static int make_layouts(Layout* layouts) {
  MPI_Datatype type;
  int n = 0;
  CHECK_OK(MPI_Type_dup(MPI_INT, &type));
  layouts[n++] = (Layout){"contiguous", type, 1, offset_contiguous};
  CHECK_OK(MPI_Type_vector(3, 2, 5, MPI_INT, &type));
  layouts[n++] = (Layout){"vector", resized(type, 0, 60), 6, offset_vector};
  CHECK_OK(MPI_Type_dup(MPI_INT, &type));
  layouts[n++] = (Layout){"resized", resized(type, 0, 12), 1, offset_resized};
  CHECK_OK(MPI_Type_create_indexed_block(3, 1, (const int[]){2, 1, 0}, MPI_INT, &type));
  CHECK_OK(MPI_Type_commit(&type));
  layouts[n++] = (Layout){"reversed", type, 3, offset_reversed};
  CHECK_OK(MPI_Type_create_hindexed(2, (const int[]){1, 1}, (const MPI_Aint[]){-400000, 0}, MPI_INT, &type));
  layouts[n++] = (Layout){"negative lower bound", resized(type, -400000, 8), 2, offset_negative};
  const MPI_Datatype parts[] = {MPI_INT, MPI_INT};
  CHECK_OK(MPI_Type_create_struct(2, (const int[]){1, 2}, (const MPI_Aint[]){0, 12}, parts, &type));
  layouts[n++] = (Layout){"struct", resized(type, 0, 24), 3, offset_struct};
  return n;
}

enum { kLayouts = 6, kBelow = 400000, kAbove = 1 << 20 };

static int value(int seed, int i) { return seed * 1000003 + i; }

// Ints in one message; each is a multiple of 6, so that it is a whole number of items of every layout.
static const int kCounts[] = {0, 6, 12, 60, 300, 1020, 3000, 16380, 65520};

static void exchange(const Layout* from, const Layout* to, int ints, unsigned char* out, unsigned char* in) {
  int next = (check_rank + 1) % check_size, previous = (check_rank + check_size - 1) % check_size, count = -1;
  MPI_Status status;
  for (int i = 0; i < ints; i++) {
    int v = value(check_rank, i);
    memcpy(out + kBelow + from->offset(i), &v, sizeof v);
  }
  memset(in, 0x5a, kBelow + kAbove);
  CHECK_OK(MPI_Sendrecv(out + kBelow, ints / from->elements, from->type, next, kTag, in + kBelow, ints / to->elements, to->type,
                        previous, kTag, MPI_COMM_WORLD, &status));
  CHECK_OK(MPI_Get_count(&status, to->type, &count));
  CHECK_EQ(count, ints / to->elements);
  CHECK_OK(MPI_Get_elements(&status, to->type, &count));
  CHECK_EQ(count, ints);
  int good = 1;
  for (int i = 0; i < ints && good; i++) {
    int v;
    memcpy(&v, in + kBelow + to->offset(i), sizeof v);
    good = CHECK_EQ(v, value(previous, i));
    memset(in + kBelow + to->offset(i), 0x5a, sizeof v);
  }
  for (int i = 0; i < kBelow + kAbove && good; i++) good = CHECK_EQ(in[i], 0x5a);
  if (!good) fprintf(stderr, "  %d ints, %s to %s\n", ints, from->name, to->name);
}

static void all_pairs(void) {
  Layout layouts[kLayouts];
  int n = make_layouts(layouts);
  unsigned char* out = check_alloc(kBelow + kAbove);
  unsigned char* in = check_alloc(kBelow + kAbove);
  for (int from = 0; from < n; from++) {
    for (int to = 0; to < n; to++) {
      for (size_t c = 0; c < sizeof kCounts / sizeof *kCounts; c++) exchange(&layouts[from], &layouts[to], kCounts[c], out, in);
    }
  }
  for (int i = 0; i < n; i++) CHECK_OK(MPI_Type_free(&layouts[i].type));
  free(in);
  free(out);
}

// A freed datatype lives on until the communication that uses it is complete.
static void freed_while_in_use(void) {
  int* out = check_alloc(200000 * sizeof(int));
  int* in = check_alloc(200000 * sizeof(int));
  for (int i = 0; i < 200000; i++) out[i] = value(check_rank, i), in[i] = -1;
  MPI_Datatype type;
  MPI_Request requests[2];
  int next = (check_rank + 1) % check_size, previous = (check_rank + check_size - 1) % check_size;
  CHECK_OK(MPI_Type_vector(100000, 1, 2, MPI_INT, &type));
  CHECK_OK(MPI_Type_commit(&type));
  CHECK_OK(MPI_Irecv(in, 1, type, previous, kTag, MPI_COMM_WORLD, &requests[0]));
  CHECK_OK(MPI_Isend(out, 1, type, next, kTag, MPI_COMM_WORLD, &requests[1]));
  CHECK_OK(MPI_Type_free(&type));
  CHECK(type == MPI_DATATYPE_NULL);
  CHECK_OK(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
  for (int i = 0; i < 200000; i++) {
    if (!CHECK_EQ(in[i], i % 2 ? -1 : value(previous, i))) break;
  }
  free(in);
  free(out);
}

// Absolute addresses: the type says where, the buffer is MPI_BOTTOM.
static void bottom(void) {
  double x = check_rank, y = -1;
  MPI_Aint addresses[2];
  MPI_Datatype types[2];
  int next = (check_rank + 1) % check_size, previous = (check_rank + check_size - 1) % check_size;
  CHECK_OK(MPI_Get_address(&x, &addresses[0]));
  CHECK_OK(MPI_Get_address(&y, &addresses[1]));
  for (int i = 0; i < 2; i++) {
    CHECK_OK(MPI_Type_create_hindexed_block(1, 1, &addresses[i], MPI_DOUBLE, &types[i]));
    CHECK_OK(MPI_Type_commit(&types[i]));
  }
  CHECK_OK(MPI_Sendrecv(MPI_BOTTOM, 1, types[0], next, kTag, MPI_BOTTOM, 1, types[1], previous, kTag, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE));
  CHECK(y == previous);
  for (int i = 0; i < 2; i++) CHECK_OK(MPI_Type_free(&types[i]));
}

// The receiver's buffer may hold more than what comes; the count tells how much, and MPI_UNDEFINED for part of an item.
static void partial_receive(void) {
  int out[7] = {1, 2, 3, 4, 5, 6, 7}, in[30] = {0}, count = 0;
  MPI_Datatype pair;
  MPI_Status status;
  int next = (check_rank + 1) % check_size, previous = (check_rank + check_size - 1) % check_size;
  CHECK_OK(MPI_Type_contiguous(2, MPI_INT, &pair));
  CHECK_OK(MPI_Type_commit(&pair));
  CHECK_OK(MPI_Sendrecv(out, 7, MPI_INT, next, kTag, in, 15, pair, previous, kTag, MPI_COMM_WORLD, &status));
  CHECK_OK(MPI_Get_count(&status, pair, &count));
  CHECK_EQ(count, MPI_UNDEFINED);
  CHECK_OK(MPI_Get_elements(&status, pair, &count));
  CHECK_EQ(count, 7);
  CHECK_BYTES(in, out, sizeof out);
  CHECK_EQ(in[7], 0);
  CHECK_OK(MPI_Type_free(&pair));
}

static const CheckCase kCases[] = {
    {"each layout to each layout", all_pairs, 0},
    {"a type freed while in use", freed_while_in_use, 0},
    {"absolute addresses", bottom, 0},
    {"a receive that is not filled", partial_receive, 0},
};
CHECK_MAIN(kCases)
