// SPDX-License-Identifier: BSD-3-Clause
// Subarrays and distributed arrays against a loop over all elements of the array.
#include "../check.h"

enum { kMaxDims = 3, kMaxElements = 4000 };

// Packs the type, laid over an array that holds 0, 1, 2 ...: the packed ints name the elements it covers, in order.
static int pack_indices(MPI_Datatype type, int elements, int* indices) {
  int* array = check_alloc((size_t)elements * sizeof(int));
  int position = 0, size;
  MPI_Aint lb, extent;
  for (int i = 0; i < elements; i++) array[i] = i;
  CHECK_OK(MPI_Type_commit(&type));
  CHECK_OK(MPI_Type_size(type, &size));
  CHECK_OK(MPI_Type_get_extent(type, &lb, &extent));
  CHECK_EQ(lb, 0);
  CHECK_EQ(extent, elements * (int)sizeof(int));  // that of the full array
  CHECK_OK(MPI_Pack(array, 1, type, indices, kMaxElements * (int)sizeof(int), &position, MPI_COMM_WORLD));
  CHECK_EQ(position, size);
  CHECK_OK(MPI_Type_free(&type));
  free(array);
  return size / (int)sizeof(int);
}

// Coordinates of element `index` of an array in the given order.
static void coordinates(int index, int dims, const int* sizes, int order, int* at) {
  for (int i = 0; i < dims; i++) {
    int d = order == MPI_ORDER_C ? dims - 1 - i : i;
    at[d] = index % sizes[d];
    index /= sizes[d];
  }
}

static int product(int n, const int* factors) {
  int result = 1;
  for (int i = 0; i < n; i++) result *= factors[i];
  return result;
}

static void subarrays(void) {
  static const struct {
    int dims, sizes[kMaxDims], parts[kMaxDims], starts[kMaxDims];
  } kShapes[] = {
      {1, {10}, {10}, {0}},
      {1, {10}, {3}, {7}},
      {2, {6, 7}, {2, 3}, {1, 2}},
      {2, {6, 7}, {6, 2}, {0, 5}},
      {2, {6, 7}, {2, 7}, {4, 0}},
      {3, {4, 5, 6}, {2, 3, 4}, {1, 1, 1}},
      {3, {4, 5, 6}, {1, 1, 1}, {3, 4, 5}},
      {3, {4, 5, 6}, {4, 5, 6}, {0, 0, 0}},
  };
  int* indices = check_alloc(kMaxElements * sizeof(int));
  for (size_t s = 0; s < sizeof kShapes / sizeof *kShapes; s++) {
    for (int fortran = 0; fortran < 2; fortran++) {
      int order = fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C, dims = kShapes[s].dims, next = 0;
      int elements = product(dims, kShapes[s].sizes);
      MPI_Datatype type;
      CHECK_OK(MPI_Type_create_subarray(dims, kShapes[s].sizes, kShapes[s].parts, kShapes[s].starts, order, MPI_INT, &type));
      int count = pack_indices(type, elements, indices);
      for (int i = 0; i < elements; i++) {
        int at[kMaxDims], inside = 1;
        coordinates(i, dims, kShapes[s].sizes, order, at);
        for (int d = 0; d < dims; d++)
          inside &= at[d] >= kShapes[s].starts[d] && at[d] < kShapes[s].starts[d] + kShapes[s].parts[d];
        if (inside && CHECK(next < count)) CHECK_EQ(indices[next++], i);
      }
      CHECK_EQ(next, count);
    }
  }
  free(indices);
}

typedef struct Distribution {
  int dims, sizes[kMaxDims], kinds[kMaxDims], arguments[kMaxDims], processes[kMaxDims];
} Distribution;

// The process coordinate that owns position `at` of dimension d.
static int owner(const Distribution* x, int d, int at) {
  int block = x->arguments[d];
  if (x->kinds[d] == MPI_DISTRIBUTE_NONE) return 0;
  if (x->kinds[d] == MPI_DISTRIBUTE_BLOCK) {
    if (block == MPI_DISTRIBUTE_DFLT_DARG) block = (x->sizes[d] + x->processes[d] - 1) / x->processes[d];
    return at / block;
  }
  if (block == MPI_DISTRIBUTE_DFLT_DARG) block = 1;
  return at / block % x->processes[d];
}

static void check_distribution(const Distribution* x, int order, int* indices) {
  int processes = product(x->dims, x->processes), elements = product(x->dims, x->sizes), covered = 0;
  for (int rank = 0; rank < processes; rank++) {
    MPI_Datatype type;
    int next = 0, mine[kMaxDims], rest = rank;
    for (int d = x->dims - 1; d >= 0; d--) mine[d] = rest % x->processes[d], rest /= x->processes[d];  // row-major always
    CHECK_OK(MPI_Type_create_darray(processes, rank, x->dims, x->sizes, x->kinds, x->arguments, x->processes, order, MPI_INT,
                                    &type));
    int count = pack_indices(type, elements, indices);
    for (int i = 0; i < elements; i++) {
      int at[kMaxDims], inside = 1;
      coordinates(i, x->dims, x->sizes, order, at);
      for (int d = 0; d < x->dims; d++) inside &= owner(x, d, at[d]) == mine[d];
      if (inside && CHECK(next < count)) CHECK_EQ(indices[next++], i);
    }
    CHECK_EQ(next, count);
    covered += count;
  }
  CHECK_EQ(covered, elements);
}

static void darrays(void) {
  const int block = MPI_DISTRIBUTE_BLOCK, cyclic = MPI_DISTRIBUTE_CYCLIC, none = MPI_DISTRIBUTE_NONE,
            dflt = MPI_DISTRIBUTE_DFLT_DARG;
  const Distribution kDistributions[] = {
      {1, {12}, {block}, {dflt}, {4}},
      {1, {13}, {block}, {dflt}, {4}},
      {1, {13}, {block}, {5}, {3}},
      {1, {10}, {block}, {4}, {4}},  // the last process owns nothing
      {1, {13}, {cyclic}, {dflt}, {4}},
      {1, {13}, {cyclic}, {2}, {3}},
      {1, {13}, {cyclic}, {5}, {2}},
      {2, {6, 8}, {block, block}, {dflt, dflt}, {2, 2}},
      {2, {7, 9}, {cyclic, block}, {2, dflt}, {2, 3}},
      {2, {7, 9}, {none, cyclic}, {dflt, 3}, {1, 2}},
      {2, {7, 9}, {cyclic, none}, {dflt, dflt}, {3, 1}},
      {3, {5, 6, 7}, {block, cyclic, block}, {dflt, 2, 4}, {2, 2, 2}},
      {3, {5, 6, 7}, {cyclic, cyclic, cyclic}, {2, 1, 3}, {2, 3, 2}},
  };
  int* indices = check_alloc(kMaxElements * sizeof(int));
  for (size_t i = 0; i < sizeof kDistributions / sizeof *kDistributions; i++) {
    check_distribution(&kDistributions[i], MPI_ORDER_C, indices);
    check_distribution(&kDistributions[i], MPI_ORDER_FORTRAN, indices);
  }
  free(indices);
}

// A matrix is transposed on the way: rows are sent, columns are received.
static void transpose(void) {
  enum { kRows = 30, kColumns = 40 };
  int out[kRows][kColumns], in[kColumns][kRows];
  MPI_Datatype column, columns;
  for (int i = 0; i < kRows; i++) {
    for (int j = 0; j < kColumns; j++) out[i][j] = 100 * i + j;
  }
  CHECK_OK(MPI_Type_vector(kColumns, 1, kRows, MPI_INT, &column));
  CHECK_OK(MPI_Type_create_hvector(kRows, 1, sizeof(int), column, &columns));
  CHECK_OK(MPI_Type_commit(&columns));
  CHECK_OK(MPI_Sendrecv(out, kRows * kColumns, MPI_INT, check_rank, 1, in, 1, columns, check_rank, 1, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE));
  for (int i = 0; i < kRows; i++) {
    for (int j = 0; j < kColumns; j++) CHECK_EQ(in[j][i], out[i][j]);
  }
  CHECK_OK(MPI_Type_free(&column));
  CHECK_OK(MPI_Type_free(&columns));
}

static const CheckCase kCases[] = {
    {"subarrays", subarrays, 0}, {"distributed arrays", darrays, 0}, {"transpose", transpose, 0}};
CHECK_MAIN(kCases)
