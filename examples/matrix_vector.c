// SPDX-License-Identifier: BSD-3-Clause
// Matrix times vector, rows distributed over the ranks: scatter the matrix, broadcast the vector, gather the product. The
// number of rows need not divide by the number of ranks, so the vector forms of scatter and gather are used.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRows = 1001, kColumns = 700 };

// Small whole numbers, so that the result is exact and can be compared with ==.
static double matrix_at(int i, int j) { return (i * 3 + j * 7) % 11 - 5; }
static double vector_at(int j) { return j % 5 - 2; }

static void* allocate(size_t bytes) {
  void* memory = malloc(bytes);
  if (!memory) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  return memory;
}

// How many rows each rank has: they differ by at most one.
static int rows_of(int rank, int size) { return kRows / size + (rank < kRows % size); }

int main(int argc, char** argv) {
  int rank, size, wrong = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  int* rows = allocate((size_t)size * sizeof(int));
  int* first = allocate((size_t)size * sizeof(int));
  for (int r = 0; r < size; r++) {
    rows[r] = rows_of(r, size);
    first[r] = r ? first[r - 1] + rows[r - 1] : 0;
  }

  // One row as a datatype: counts and places are then those of rows.
  MPI_Datatype row;
  MPI_Type_contiguous(kColumns, MPI_DOUBLE, &row);
  MPI_Type_commit(&row);

  double *matrix = NULL, *product = NULL, *vector = allocate(kColumns * sizeof(double));
  if (rank == 0) {
    matrix = allocate(sizeof(double) * kRows * kColumns);
    product = allocate(sizeof(double) * kRows);
    for (int i = 0; i < kRows; i++) {
      for (int j = 0; j < kColumns; j++) matrix[i * kColumns + j] = matrix_at(i, j);
    }
    for (int j = 0; j < kColumns; j++) vector[j] = vector_at(j);
  }
  int my_rows = rows[rank];
  double* my_matrix = allocate(sizeof(double) * (size_t)my_rows * kColumns);
  double* my_product = allocate(sizeof(double) * (size_t)my_rows);

  MPI_Scatterv(matrix, rows, first, row, my_matrix, my_rows, row, 0, MPI_COMM_WORLD);
  MPI_Bcast(vector, kColumns, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; i < my_rows; i++) {
    my_product[i] = 0;
    for (int j = 0; j < kColumns; j++) my_product[i] += my_matrix[i * kColumns + j] * vector[j];
  }
  MPI_Gatherv(my_product, my_rows, MPI_DOUBLE, product, rows, first, MPI_DOUBLE, 0, MPI_COMM_WORLD);

  if (rank == 0) {
    for (int i = 0; i < kRows; i++) {
      double want = 0;
      for (int j = 0; j < kColumns; j++) want += matrix_at(i, j) * vector_at(j);
      wrong += product[i] != want;
    }
    printf("%d x %d matrix times vector on %d ranks: %d of %d rows are right\n", kRows, kColumns, size, kRows - wrong, kRows);
  }
  MPI_Type_free(&row);
  free(my_product), free(my_matrix), free(vector), free(product), free(matrix), free(first), free(rows);
  MPI_Finalize();
  return wrong != 0;
}
