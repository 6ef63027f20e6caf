// SPDX-License-Identifier: BSD-3-Clause
// run: oracle=no also=MVP_ALLREDUCE_INTRA_ALGORITHM=ring
//
// MVP_REPRODUCIBLE=1: sums of floating-point numbers have the same bits from every reduction, in every form, for any root, for
// any assignment of ranks to processes, and whatever algorithm somebody asks for. The bits are those of the documented order
// (doc/coll.md), which is computed here once more.
#include "forms.h"

enum { kMost = 40000 };

// Sizes and signs so mixed that nearly every other order rounds differently.
static double adverse(int rank, int i) {
  unsigned x = (unsigned)rank * 2654435761u + (unsigned)i * 40503u + 12345u;
  x ^= x >> 13, x *= 0x5bd1e995u, x ^= x >> 15;
  double value = (double)(x % 2001) - 1000;
  for (unsigned e = x >> 16 & 63; e > 0; e--) value *= e % 2 ? 4 : 0.5;
  return value;
}

// Pairs of the first ranks so that a power of two is left, then neighbours, pairs of neighbours ...
static void expect(double* vectors, int ranks, int count) {
  int seats = 1, length = ranks;
  while (seats * 2 <= ranks) seats *= 2;
  for (int pairs = ranks - seats; length > 1; pairs = length / 2) {
    int to = 0;
    for (int from = 0; from < length; to++) {
      const double* left = vectors + (size_t)from * (size_t)count;
      double* out = vectors + (size_t)to * (size_t)count;
      if (to < pairs) {
        for (int i = 0; i < count; i++) out[i] = left[i] + left[count + i];
        from += 2;
      } else {
        memmove(out, left, sizeof(double) * (size_t)count);
        from += 1;
      }
    }
    length = to;
  }
}

static double *mine, *result, *expected;

static void prepare(MPI_Comm comm, int count) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  double* all = check_alloc(sizeof(double) * (size_t)size * (size_t)count);
  for (int r = 0; r < size; r++)
    for (int i = 0; i < count; i++) all[(size_t)r * (size_t)count + (size_t)i] = adverse(r, i);
  memcpy(mine, all + (size_t)rank * (size_t)count, sizeof(double) * (size_t)count);
  expect(all, size, count);
  memcpy(expected, all, sizeof(double) * (size_t)count);
  free(all);
}

static void reductions_on(MPI_Comm comm, int count) {
  int rank, size;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  prepare(comm, count);
  const size_t bytes = sizeof(double) * (size_t)count;
  for (int form = 0; form < kForms; form++) {
    memset(result, 0, bytes);
    RUN(form, Allreduce, Iallreduce, mine, result, count, MPI_DOUBLE, MPI_SUM, comm);
    CHECK_BYTES(result, expected, bytes);
    memcpy(result, mine, bytes);
    RUN(form, Allreduce, Iallreduce, MPI_IN_PLACE, result, count, MPI_DOUBLE, MPI_SUM, comm);
    CHECK_BYTES(result, expected, bytes);
    for (int root = 0; root<size; root += size> 2 ? size / 2 : 1) {
      memset(result, 0, bytes);
      RUN(form, Reduce, Ireduce, mine, result, count, MPI_DOUBLE, MPI_SUM, root, comm);
      if (rank == root) CHECK_BYTES(result, expected, bytes);
    }
    const int block = count / size;
    memset(result, 0, bytes);
    RUN(form, Reduce_scatter_block, Ireduce_scatter_block, mine, result, block, MPI_DOUBLE, MPI_SUM, comm);
    CHECK_BYTES(result, expected + rank * block, sizeof(double) * (size_t)block);
  }
}

static const int sizes[] = {1, 7, 100, 1000, 5000, kMost};

static void same_bits(void) {
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) reductions_on(MPI_COMM_WORLD, sizes[i]);
}

// The processes in another order: a rank's data come from elsewhere.
static void other_placement(void) {
  MPI_Comm backward, odd;
  CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, 0, -check_rank, &backward));
  reductions_on(backward, 3000);
  CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, 0, check_rank * 3 % 7, &odd));
  reductions_on(odd, 900);
  CHECK_OK(MPI_Comm_free(&odd));
  CHECK_OK(MPI_Comm_free(&backward));
}

// A prefix depends on the ranks below only, not on how many there are above.
static void scans(void) {
  enum { kCount = 500 };
  MPI_Comm some;
  const int low = check_size - check_size / 2;
  static double whole[kCount], part[kCount];
  prepare(MPI_COMM_WORLD, kCount);
  CHECK_OK(MPI_Scan(mine, whole, kCount, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
  CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, check_rank < low ? 0 : MPI_UNDEFINED, check_rank, &some));
  if (some == MPI_COMM_NULL) return;
  CHECK_OK(MPI_Scan(mine, part, kCount, MPI_DOUBLE, MPI_SUM, some));
  CHECK_BYTES(part, whole, sizeof whole);
  CHECK_OK(MPI_Comm_free(&some));
}

int main(int argc, char** argv) {
  static const CheckCase cases[] = {{"same bits", same_bits, 0}, {"other placement", other_placement, 0}, {"scans", scans, 0}};
  setenv("MVP_REPRODUCIBLE", "1", 1);
  mine = check_alloc(sizeof(double) * kMost);
  result = check_alloc(sizeof(double) * kMost);
  expected = check_alloc(sizeof(double) * kMost);
  MPI_Init(&argc, &argv);
  int failed = check_run(cases, (int)(sizeof cases / sizeof *cases));
  MPI_Finalize();
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
