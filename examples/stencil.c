// SPDX-License-Identifier: BSD-3-Clause
// Heat on a square plate: the Jacobi method on a grid that is distributed in two dimensions. Each rank keeps its part with a
// border one cell wide (the halo) that mirrors the neighbours' outermost cells. Shown here: a Cartesian topology, a datatype
// for a column, and communication that goes on while the inner cells are computed.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kCells = 240, kSteps = 400 };  // cells along each side of the plate; kCells divides by many numbers of ranks

// One rank's part: rows x columns cells, and the halo around them.
typedef struct Plate {
  int rows, columns;
  double *now, *next;
} Plate;

static double* cell(const Plate* plate, double* cells, int row, int column) {
  return &cells[row * (plate->columns + 2) + column];
}

static void compute(Plate* plate, int first_row, int last_row, int first_column, int last_column) {
  int stride = plate->columns + 2;
  for (int i = first_row; i <= last_row; i++) {
    for (int j = first_column; j <= last_column; j++) {
      const double* c = cell(plate, plate->now, i, j);
      *cell(plate, plate->next, i, j) = 0.25 * (c[-stride] + c[stride] + c[-1] + c[1]);
    }
  }
}

// Starts to send the outermost cells and to receive the halo: 8 requests. A neighbour beyond the edge is MPI_PROC_NULL, to
// which nothing is sent.
static void start_exchange(const Plate* plate, const int* neighbors, MPI_Datatype column, MPI_Comm grid,
                           MPI_Request* requests) {
  int rows = plate->rows, columns = plate->columns;
  double* halo[4] = {cell(plate, plate->now, 0, 1), cell(plate, plate->now, rows + 1, 1), cell(plate, plate->now, 1, 0),
                     cell(plate, plate->now, 1, columns + 1)};
  double* edge[4] = {cell(plate, plate->now, 1, 1), cell(plate, plate->now, rows, 1), cell(plate, plate->now, 1, 1),
                     cell(plate, plate->now, 1, columns)};
  for (int side = 0; side < 4; side++) {  // up, down, left, right
    int opposite = side ^ 1;              // what comes from above was sent downwards
    int count = side < 2 ? columns : 1;
    MPI_Datatype type = side < 2 ? MPI_DOUBLE : column;
    MPI_Irecv(halo[side], count, type, neighbors[side], opposite, grid, &requests[side]);
    MPI_Isend(edge[side], count, type, neighbors[side], side, grid, &requests[4 + side]);
  }
}

static void step(Plate* plate, const int* neighbors, MPI_Datatype column, MPI_Comm grid) {
  MPI_Request requests[8];
  int rows = plate->rows, columns = plate->columns;
  start_exchange(plate, neighbors, column, grid, requests);
  compute(plate, 2, rows - 1, 2, columns - 1);  // needs no halo
  MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
  compute(plate, 1, 1, 1, columns);
  compute(plate, rows, rows, 1, columns);
  compute(plate, 2, rows - 1, 1, 1);
  compute(plate, 2, rows - 1, columns, columns);
  double* swap = plate->now;
  plate->now = plate->next;
  plate->next = swap;
}

int main(int argc, char** argv) {
  int size, rank, dims[2] = {0, 0}, periods[2] = {0, 0}, neighbors[4];
  MPI_Comm grid;
  MPI_Datatype column;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_shift(grid, 0, 1, &neighbors[0], &neighbors[1]);
  MPI_Cart_shift(grid, 1, 1, &neighbors[2], &neighbors[3]);

  Plate plate = {.rows = kCells / dims[0], .columns = kCells / dims[1]};
  size_t cells = (size_t)(plate.rows + 2) * (size_t)(plate.columns + 2);
  plate.now = calloc(cells, sizeof(double));
  plate.next = calloc(cells, sizeof(double));
  if (!plate.now || !plate.next || kCells % dims[0] || kCells % dims[1]) {
    if (rank == 0)
      fprintf(stderr, "a plate of %d x %d cells cannot be divided among %d x %d ranks\n", kCells, kCells, dims[0], dims[1]);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  }
  MPI_Type_vector(plate.rows, 1, plate.columns + 2, MPI_DOUBLE, &column);
  MPI_Type_commit(&column);

  // The plate starts cold; its upper edge is kept at 1 by halo cells that nobody overwrites.
  for (int j = 0; j < plate.columns + 2 && neighbors[0] == MPI_PROC_NULL; j++) {
    *cell(&plate, plate.now, 0, j) = *cell(&plate, plate.next, 0, j) = 1;
  }

  double start = MPI_Wtime(), mine = 0, heat = 0;
  for (int i = 0; i < kSteps; i++) step(&plate, neighbors, column, grid);
  double seconds = MPI_Wtime() - start;
  for (int i = 1; i <= plate.rows; i++) {
    for (int j = 1; j <= plate.columns; j++) mine += *cell(&plate, plate.now, i, j);
  }
  MPI_Allreduce(&mine, &heat, 1, MPI_DOUBLE, MPI_SUM, grid);
  if (rank == 0) {
    printf("%d x %d cells on %d x %d ranks, %d steps: heat %.6f, %.1f million cells a second\n", kCells, kCells, dims[0],
           dims[1], kSteps, heat, 1e-6 * kCells * kCells * kSteps / seconds);
  }

  MPI_Type_free(&column);
  MPI_Comm_free(&grid);
  free(plate.next);
  free(plate.now);
  MPI_Finalize();
  return 0;
}
