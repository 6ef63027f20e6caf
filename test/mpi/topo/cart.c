// SPDX-License-Identifier: BSD-3-Clause
// Cartesian topologies: balanced dimensions, coordinates, shifts, sub-grids.
#include "../check.h"

static void dims_create(void) {
  static const struct {
    int nodes, dims, in[4], out[4];
  } kCases[] = {
      // The examples of MPI 5.0, section 8.5.2, and cases where the factors must be well balanced.
      {6, 2, {0, 0}, {3, 2}},
      {7, 2, {0, 0}, {7, 1}},
      {6, 3, {0, 3, 0}, {2, 3, 1}},
      {16, 2, {0, 0}, {4, 4}},
      {12, 2, {0, 0}, {4, 3}},
      {24, 3, {0, 0, 0}, {4, 3, 2}},
      {64, 3, {0, 0, 0}, {4, 4, 4}},
      {60, 3, {0, 0, 0}, {5, 4, 3}},
      {36, 4, {0, 0, 0, 0}, {3, 3, 2, 2}},
      {1, 3, {0, 0, 0}, {1, 1, 1}},
      {5, 1, {0}, {5}},
      {10, 2, {2, 5}, {2, 5}},
      {1000, 3, {0, 0, 0}, {10, 10, 10}},
      {120, 2, {0, 0}, {12, 10}},
      {2048, 2, {0, 0}, {64, 32}},
      {72, 3, {0, 0, 2}, {6, 6, 2}},
  };
  for (size_t c = 0; c < sizeof kCases / sizeof *kCases; c++) {
    int dims[4];
    memcpy(dims, kCases[c].in, sizeof dims);
    CHECK_OK(MPI_Dims_create(kCases[c].nodes, kCases[c].dims, dims));
    for (int d = 0; d < kCases[c].dims; d++) {
      if (!CHECK_EQ(dims[d], kCases[c].out[d]))
        fprintf(stderr, "  %d nodes in %d dimensions\n", kCases[c].nodes, kCases[c].dims);
    }
  }
  int odd[2] = {4, 0};
  CHECK(MPI_Dims_create(6, 2, odd) != MPI_SUCCESS);
}

static void grid(void) {
  int dims[2] = {0, 0}, periods[2] = {1, 0}, got_dims[2], got_periods[2], coords[2], kind, ndims = 0, rank;
  MPI_Comm cart;
  CHECK_OK(MPI_Dims_create(check_size, 2, dims));
  CHECK_OK(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &cart));
  CHECK_OK(MPI_Topo_test(cart, &kind));
  CHECK_EQ(kind, MPI_CART);
  CHECK_OK(MPI_Topo_test(MPI_COMM_WORLD, &kind));
  CHECK_EQ(kind, MPI_UNDEFINED);
  CHECK_OK(MPI_Cartdim_get(cart, &ndims));
  CHECK_EQ(ndims, 2);
  CHECK_OK(MPI_Cart_get(cart, 2, got_dims, got_periods, coords));
  for (int d = 0; d < 2; d++) CHECK_EQ(got_dims[d], dims[d]), CHECK_EQ(!!got_periods[d], periods[d]);
  CHECK_EQ(coords[0], check_rank / dims[1]);  // row-major
  CHECK_EQ(coords[1], check_rank % dims[1]);
  for (int r = 0; r < check_size; r++) {
    CHECK_OK(MPI_Cart_coords(cart, r, 2, coords));
    CHECK_EQ(coords[0] * dims[1] + coords[1], r);
    CHECK_OK(MPI_Cart_rank(cart, coords, &rank));
    CHECK_EQ(rank, r);
    coords[0] -= 3 * dims[0];  // periodic: any coordinate wraps
    CHECK_OK(MPI_Cart_rank(cart, coords, &rank));
    CHECK_EQ(rank, r);
  }
  coords[0] = 0, coords[1] = dims[1];  // not periodic: out of range
  CHECK(MPI_Cart_rank(cart, coords, &rank) != MPI_SUCCESS);
  for (int step = -3; step <= 3; step++) {
    int source, dest, row = check_rank / dims[1], column = check_rank % dims[1];
    CHECK_OK(MPI_Cart_shift(cart, 0, step, &source, &dest));
    int up = ((row + step) % dims[0] + dims[0]) % dims[0], down = ((row - step) % dims[0] + dims[0]) % dims[0];
    CHECK_EQ(dest, up * dims[1] + column);
    CHECK_EQ(source, down * dims[1] + column);
    CHECK_OK(MPI_Cart_shift(cart, 1, step, &source, &dest));
    CHECK_EQ(dest, column + step >= 0 && column + step < dims[1] ? check_rank + step : MPI_PROC_NULL);
    CHECK_EQ(source, column - step >= 0 && column - step < dims[1] ? check_rank - step : MPI_PROC_NULL);
  }
  MPI_Comm copy;
  CHECK_OK(MPI_Comm_dup(cart, &copy));
  CHECK_OK(MPI_Topo_test(copy, &kind));
  CHECK_EQ(kind, MPI_CART);  // a duplicate keeps the topology
  CHECK_OK(MPI_Comm_free(&copy));
  CHECK_OK(MPI_Comm_free(&cart));
}

static void smaller_grid(void) {
  int dims[1] = {check_size - 1}, periods[1] = {0}, rank = -1;
  MPI_Comm cart;
  CHECK_OK(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 1, &cart));
  int in = cart != MPI_COMM_NULL, members = 0;
  CHECK_OK(MPI_Allreduce(&in, &members, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD));
  CHECK_EQ(members, check_size - 1);
  if (in) CHECK_OK(MPI_Comm_free(&cart));
  CHECK_OK(MPI_Cart_map(MPI_COMM_WORLD, 1, dims, periods, &rank));
  CHECK(rank == MPI_UNDEFINED || (rank >= 0 && rank < check_size - 1));
  dims[0] = check_size + 1;
  CHECK(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &cart) != MPI_SUCCESS);
}

static void no_dimensions(void) {
  MPI_Comm cart;
  int ndims = -1, rank = -1;
  CHECK_OK(MPI_Cart_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &cart));
  CHECK_EQ(cart != MPI_COMM_NULL, check_rank == 0);
  if (cart == MPI_COMM_NULL) return;
  CHECK_OK(MPI_Cartdim_get(cart, &ndims));
  CHECK_EQ(ndims, 0);
  CHECK_OK(MPI_Cart_rank(cart, NULL, &rank));
  CHECK_EQ(rank, 0);
  CHECK_OK(MPI_Comm_free(&cart));
}

// Rows and columns of a grid, and what remains of its periods.
static void sub(void) {
  int dims[3] = {0, 0, 0}, periods[3] = {0, 1, 0};
  MPI_Comm cart;
  CHECK_OK(MPI_Dims_create(check_size, 3, dims));
  CHECK_OK(MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &cart));
  for (int keep = 0; keep < 8; keep++) {
    int remain[3] = {keep & 1, keep >> 1 & 1, keep >> 2 & 1}, want = 1, kept = 0, size = -1, ndims = -1;
    int sub_dims[3], sub_periods[3], sub_coords[3], coords[3];
    MPI_Comm part;
    CHECK_OK(MPI_Cart_sub(cart, remain, &part));
    CHECK_OK(MPI_Comm_size(part, &size));
    CHECK_OK(MPI_Cart_coords(cart, check_rank, 3, coords));
    for (int d = 0; d < 3; d++) want *= remain[d] ? dims[d] : 1;
    CHECK_EQ(size, want);
    CHECK_OK(MPI_Cartdim_get(part, &ndims));
    CHECK_EQ(ndims, remain[0] + remain[1] + remain[2]);
    CHECK_OK(MPI_Cart_get(part, ndims, sub_dims, sub_periods, sub_coords));
    for (int d = 0; d < 3; d++) {
      if (!remain[d]) continue;
      CHECK_EQ(sub_dims[kept], dims[d]);
      CHECK_EQ(!!sub_periods[kept], periods[d]);
      CHECK_EQ(sub_coords[kept], coords[d]);
      kept++;
    }
    CHECK_OK(MPI_Comm_free(&part));
  }
  CHECK_OK(MPI_Comm_free(&cart));
}

static const CheckCase kCases[] = {
    {"dims_create", dims_create, 0},     {"grid", grid, 0}, {"smaller grid", smaller_grid, 2},
    {"no dimensions", no_dimensions, 0}, {"sub", sub, 0},
};
CHECK_MAIN(kCases)
