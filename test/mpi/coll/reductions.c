// SPDX-License-Identifier: BSD-3-Clause
// Allreduce, reduce-scatter, scan and exscan in all forms, in place, with derived types and with zero counts.
#include "forms.h"

// Sum over ranks first .. last of what they contribute at position i.
static int sum_of(int first, int last, int i) {
  int sum = 0;
  for (int r = first; r <= last; r++) sum += input(r, i);
  return sum;
}

static void check_sums(const int* got, int first, int last, int from, int count, const char* what) {
  for (int i = 0; i < count; i++) {
    if (check_equal(got[i], sum_of(first, last, from + i), what, __FILE__, __LINE__)) continue;
    fprintf(stderr, "  at %d of %d\n", i, count);
    return;
  }
}

static void allreduce(void) {
  int* mine = check_alloc(kLargest * sizeof(int));
  int* got = check_alloc(kLargest * sizeof(int));
  for (int form = 0; form < kForms; form++) {
    for (int c = 0; c < kCountsUsed; c++) {
      int count = kCounts[c];
      fill_input(mine, check_rank, count);
      memset(got, 0, (size_t)count * sizeof(int));
      RUN(form, Allreduce, Iallreduce, mine, got, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      check_sums(got, 0, check_size - 1, 0, count, "allreduce");
      CHECK_INPUT(mine, check_rank, 0, count);
      RUN(form, Allreduce, Iallreduce, MPI_IN_PLACE, mine, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      check_sums(mine, 0, check_size - 1, 0, count, "allreduce in place");
    }
  }
  free(got);
  free(mine);
}

static void reduce_scatter_block(void) {
  static const int counts[] = {0, 1, 3, 50, 1000, 10001};
  for (int form = 0; form < kForms; form++) {
    for (int c = 0; c < 6; c++) {
      int count = counts[c], total = count * check_size;
      int* mine = check_alloc((size_t)total * sizeof(int));
      int* got = check_alloc((size_t)count * sizeof(int));
      fill_input(mine, check_rank, total);
      RUN(form, Reduce_scatter_block, Ireduce_scatter_block, mine, got, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      check_sums(got, 0, check_size - 1, check_rank * count, count, "reduce_scatter_block");
      CHECK_INPUT(mine, check_rank, 0, total);
      RUN(form, Reduce_scatter_block, Ireduce_scatter_block, MPI_IN_PLACE, mine, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      check_sums(mine, 0, check_size - 1, check_rank * count, count, "reduce_scatter_block in place");
      free(got);
      free(mine);
    }
  }
}

// Blocks of 0, 1, 2 ... units: some ranks get nothing.
static void reduce_scatter(void) {
  static const int units[] = {1, 9, 2500};
  int* counts = check_alloc((size_t)check_size * sizeof(int));
  for (int u = 0; u < 3; u++) {
    int total = 0, first = 0;
    for (int r = 0; r < check_size; r++) {
      if (r == check_rank) first = total;
      counts[r] = (r + 1) % 3 * units[u];
      total += counts[r];
    }
    int* mine = check_alloc((size_t)total * sizeof(int));
    int* got = check_alloc((size_t)counts[check_rank] * sizeof(int));
    for (int form = 0; form < kForms; form++) {
      fill_input(mine, check_rank, total);
      memset(got, 0, (size_t)counts[check_rank] * sizeof(int));
      RUN(form, Reduce_scatter, Ireduce_scatter, mine, got, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      check_sums(got, 0, check_size - 1, first, counts[check_rank], "reduce_scatter");
      CHECK_INPUT(mine, check_rank, 0, total);
      RUN(form, Reduce_scatter, Ireduce_scatter, MPI_IN_PLACE, mine, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      check_sums(mine, 0, check_size - 1, first, counts[check_rank], "reduce_scatter in place");
    }
    free(got);
    free(mine);
  }
  free(counts);
}

static void scans(void) {
  int* mine = check_alloc(kLargest * sizeof(int));
  int* got = check_alloc(kLargest * sizeof(int));
  for (int form = 0; form < kForms; form++) {
    for (int c = 0; c < kCountsUsed; c++) {
      int count = kCounts[c];
      fill_input(mine, check_rank, count);
      RUN(form, Scan, Iscan, mine, got, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      check_sums(got, 0, check_rank, 0, count, "scan");
      memset(got, 0, (size_t)count * sizeof(int));
      RUN(form, Exscan, Iexscan, mine, got, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      if (check_rank > 0) check_sums(got, 0, check_rank - 1, 0, count, "exscan");
      CHECK_INPUT(mine, check_rank, 0, count);
      RUN(form, Scan, Iscan, MPI_IN_PLACE, mine, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      check_sums(mine, 0, check_rank, 0, count, "scan in place");
      fill_input(mine, check_rank, count);
      RUN(form, Exscan, Iexscan, MPI_IN_PLACE, mine, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      if (check_rank > 0) check_sums(mine, 0, check_rank - 1, 0, count, "exscan in place");
    }
  }
  free(got);
  free(mine);
}

// Other operations and types: the maximum of doubles, the bits of bytes, the product of complex numbers.
static void other_types(void) {
  enum { kItems = 3001 };
  double *d = check_alloc(kItems * sizeof(double)), *max = check_alloc(kItems * sizeof(double));
  unsigned char bits[kItems], any[kItems];
  for (int i = 0; i < kItems; i++)
    d[i] = (check_rank * 31 + i * 17) % 101 - 50.5, bits[i] = (unsigned char)(1 << (check_rank + i) % 8);
  CHECK_OK(MPI_Allreduce(d, max, kItems, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD));
  CHECK_OK(MPI_Allreduce(bits, any, kItems, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD));
  for (int i = 0; i < kItems; i++) {
    double want = -1e9;
    unsigned char all = 0;
    for (int r = 0; r < check_size; r++) {
      double x = (r * 31 + i * 17) % 101 - 50.5;
      if (x > want) want = x;
      all |= (unsigned char)(1 << (r + i) % 8);
    }
    if (!CHECK(max[i] == want) || !CHECK_EQ(any[i], all)) break;
  }
  free(max);
  free(d);
}

// All ranks must get the same bits, whatever the order of additions; and the same again in a second run.
static void reproducible(void) {
  enum { kItems = 20000 };
  double *mine = check_alloc(kItems * sizeof(double)), *sum = check_alloc(kItems * sizeof(double));
  double *again = check_alloc(kItems * sizeof(double)), *of_root = check_alloc(kItems * sizeof(double));
  for (int i = 0; i < kItems; i++) mine[i] = 1.0 / (check_rank * 3 + i + 1);
  for (int count = 1; count <= kItems; count = count * 7 + 1) {
    CHECK_OK(MPI_Allreduce(mine, sum, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    CHECK_OK(MPI_Allreduce(mine, again, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD));
    CHECK_BYTES(sum, again, (size_t)count * sizeof(double));
    memcpy(of_root, sum, (size_t)count * sizeof(double));
    CHECK_OK(MPI_Bcast(of_root, count, MPI_DOUBLE, 0, MPI_COMM_WORLD));
    CHECK_BYTES(sum, of_root, (size_t)count * sizeof(double));
  }
  free(of_root), free(again), free(sum), free(mine);
}

static const CheckCase kCases[] = {
    {"allreduce", allreduce, 0},           {"reduce_scatter_block", reduce_scatter_block, 0},
    {"reduce_scatter", reduce_scatter, 0}, {"scan and exscan", scans, 0},
    {"other types", other_types, 0},       {"reproducible", reproducible, 0},
};
CHECK_MAIN(kCases)
