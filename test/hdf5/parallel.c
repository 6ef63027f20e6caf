// SPDX-License-Identifier: BSD-3-Clause
// A matrix in a file of parallel HDF5: written by columns, by rows and in chunks, collectively and independently, by 4 ranks or
// any other number; read back in another shape. Uses HDF5's C interface only as its manual describes it.
//
//   parallel               writes and reads a file of its own
//   parallel write FILE    only writes it, for another number of ranks or another MPI library
//   parallel read FILE     only reads what that has written
#include <hdf5.h>

#include "../mpi/io/files.h"

enum { kRows = 120, kColumns = 96 };

static int cell(int row, int column) { return row * 1000 + column; }

// The part of a rank: rows or columns [first, first + count).
static void part_of(int rank, int total, hsize_t* first, hsize_t* count) {
  *first = (hsize_t)(total * rank / check_size);
  *count = (hsize_t)(total * (rank + 1) / check_size) - *first;
}

static void select_part(hid_t space, int by_columns, hsize_t first[2], hsize_t count[2]) {
  first[0] = first[1] = 0;
  count[0] = kRows;
  count[1] = kColumns;
  if (by_columns)
    part_of(check_rank, kColumns, &first[1], &count[1]);
  else
    part_of(check_rank, kRows, &first[0], &count[0]);
  CHECK(H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, count, NULL) >= 0);
}

static hid_t transfer_list(int collective) {
  const hid_t list = H5Pcreate(H5P_DATASET_XFER);
  CHECK(H5Pset_dxpl_mpio(list, collective ? H5FD_MPIO_COLLECTIVE : H5FD_MPIO_INDEPENDENT) >= 0);
  return list;
}

static hid_t open_file(int create) {
  const hid_t access_list = H5Pcreate(H5P_FILE_ACCESS);
  CHECK(H5Pset_fapl_mpio(access_list, MPI_COMM_WORLD, MPI_INFO_NULL) >= 0);
  const hid_t file =
      create ? H5Fcreate(file_name, H5F_ACC_TRUNC, H5P_DEFAULT, access_list) : H5Fopen(file_name, H5F_ACC_RDONLY, access_list);
  CHECK(file >= 0);
  CHECK(H5Pclose(access_list) >= 0);
  return file;
}

static void write_matrix(hid_t file, const char* name, int by_columns, int collective, int chunked) {
  const hsize_t sizes[2] = {kRows, kColumns}, chunk[2] = {17, 11};
  hsize_t first[2], count[2];
  const hid_t space = H5Screate_simple(2, sizes, NULL), how = H5Pcreate(H5P_DATASET_CREATE);
  if (chunked) CHECK(H5Pset_chunk(how, 2, chunk) >= 0);
  const hid_t set = H5Dcreate2(file, name, H5T_STD_I32BE, space, H5P_DEFAULT, how, H5P_DEFAULT);
  CHECK(set >= 0);
  select_part(space, by_columns, first, count);
  const hid_t memory = H5Screate_simple(2, count, NULL), list = transfer_list(collective);
  int* data = check_alloc((size_t)(count[0] * count[1]) * sizeof(int));
  for (hsize_t i = 0; i < count[0] * count[1]; i++)
    data[i] = cell((int)(first[0] + i / count[1]), (int)(first[1] + i % count[1]));
  CHECK(H5Dwrite(set, H5T_NATIVE_INT, memory, space, list, data) >= 0);
  free(data);
  CHECK(H5Pclose(list) >= 0 && H5Pclose(how) >= 0 && H5Sclose(memory) >= 0 && H5Sclose(space) >= 0 && H5Dclose(set) >= 0);
}

static void read_matrix(hid_t file, const char* name, int by_columns, int collective) {
  hsize_t first[2], count[2];
  const hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
  CHECK(set >= 0);
  const hid_t space = H5Dget_space(set);
  select_part(space, by_columns, first, count);
  const hid_t memory = H5Screate_simple(2, count, NULL), list = transfer_list(collective);
  int* data = check_alloc((size_t)(count[0] * count[1]) * sizeof(int));
  CHECK(H5Dread(set, H5T_NATIVE_INT, memory, space, list, data) >= 0);
  for (hsize_t i = 0; i < count[0] * count[1]; i++)
    if (!CHECK_EQ(data[i], cell((int)(first[0] + i / count[1]), (int)(first[1] + i % count[1])))) break;
  free(data);
  CHECK(H5Pclose(list) >= 0 && H5Sclose(memory) >= 0 && H5Sclose(space) >= 0 && H5Dclose(set) >= 0);
}

// Shapes of a matrix: bit 0 by columns, bit 1 collectively, bit 2 in chunks.
static int possible(int shape) { return (shape & 6) != 4; }  // HDF5 itself: several ranks may write new chunks together only

static void write_file(void) {
  char name[64];
  const hid_t file = open_file(1);
  for (int shape = 0; shape < 8; shape++) {
    if (!possible(shape)) continue;
    snprintf(name, sizeof name, "matrix %d", shape);
    write_matrix(file, name, shape & 1, shape & 2, shape & 4);
  }
  CHECK(H5Fclose(file) >= 0);
}

static void read_file(void) {
  char name[64];
  const hid_t file = open_file(0);
  for (int shape = 0; shape < 16; shape++) {
    if (!possible(shape)) continue;
    snprintf(name, sizeof name, "matrix %d", shape & 7);
    read_matrix(file, name, !(shape & 1), shape & 8);
  }
  CHECK(H5Fclose(file) >= 0);
}

static void write_and_read(void) {
  new_file_name();
  write_file();
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  read_file();
  delete_file();
}

int main(int argc, char** argv) {
  CheckCase matrices = {"write and read", write_and_read, 0};
  if (argc == 3) {
    snprintf(file_name, sizeof file_name, "%s", argv[2]);
    matrices.name = argv[1];
    matrices.run = strcmp(argv[1], "read") == 0 ? read_file : write_file;
  }
  MPI_Init(&argc, &argv);
  const int failed = check_run(&matrices, 1);
  MPI_Finalize();
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
