// SPDX-License-Identifier: BSD-3-Clause
// Data representations: native, internal, external32, and those that a program registers (MPI 5.0 section 14.5).
// run: oracle=no
#include "files.h"

// external32 is big-endian.
static void external32(void) {
  MPI_File fh = new_file(MPI_INFO_NULL);
  const int data[3] = {1, -2, 0x01020304};
  const double real = 1.0;
  MPI_Status status;
  MPI_Aint extent;
  int back[3] = {0}, count;
  double number = 0;
  CHECK_OK(MPI_File_set_view(fh, 0, MPI_BYTE, MPI_BYTE, "external32", MPI_INFO_NULL));
  CHECK_OK(MPI_File_get_type_extent(fh, MPI_INT, &extent));
  CHECK_EQ(extent, 4);
  CHECK_OK(MPI_File_get_type_extent(fh, MPI_DOUBLE, &extent));
  CHECK_EQ(extent, 8);
  if (check_rank == 0) {
    CHECK_OK(MPI_File_write(fh, data, 3, MPI_INT, &status));
    CHECK_OK(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_EQ(count, 3);
    CHECK_OK(MPI_File_write(fh, &real, 1, MPI_DOUBLE, &status));
  }
  publish(fh);
  long size;
  unsigned char* all = file_bytes(&size);
  const unsigned char want[20] = {0, 0, 0, 1, 0xff, 0xff, 0xff, 0xfe, 1, 2, 3, 4, 0x3f, 0xf0};
  if (CHECK_EQ(size, 20)) CHECK_BYTES(all, want, 20);
  free(all);
  CHECK_OK(MPI_File_read_at_all(fh, 0, back, 3, MPI_INT, &status));
  CHECK_BYTES(back, data, sizeof data);
  CHECK_OK(MPI_File_read_at_all(fh, 12, &number, 1, MPI_DOUBLE, &status));
  CHECK(number == 1.0);
  CHECK_OK(MPI_Get_count(&status, MPI_DOUBLE, &count));
  CHECK_EQ(count, 1);
  close_and_delete(&fh);
}

// A structure in memory, a strided filetype: elements change places, sizes and order of bytes.
static void external32_types(void) {
  typedef struct Part {
    char c;
    double d;
    int i;
  } Part;
  enum { kParts = 30 };
  MPI_Datatype part, fitted, tile;
  const int lengths[3] = {1, 1, 1};
  const MPI_Aint displacements[3] = {offsetof(Part, c), offsetof(Part, d), offsetof(Part, i)};
  MPI_Datatype types[3] = {MPI_CHAR, MPI_DOUBLE, MPI_INT};
  CHECK_OK(MPI_Type_create_struct(3, lengths, displacements, types, &part));
  CHECK_OK(MPI_Type_create_resized(part, 0, sizeof(Part), &fitted));
  CHECK_OK(MPI_Type_commit(&fitted));
  CHECK_OK(MPI_Type_create_resized(MPI_BYTE, 0, check_size, &tile));
  CHECK_OK(MPI_Type_commit(&tile));
  MPI_File fh = new_file(MPI_INFO_NULL);
  CHECK_OK(MPI_File_set_view(fh, check_rank, MPI_BYTE, tile, "external32", MPI_INFO_NULL));
  Part data[kParts], back[kParts];
  memset(data, 0, sizeof data);
  memset(back, 0, sizeof back);
  for (int i = 0; i < kParts; i++) {
    data[i].c = (char)('a' + i % 26);
    data[i].d = i * 0.5 + check_rank;
    data[i].i = -i;
  }
  MPI_Status status;
  int count;
  CHECK_OK(MPI_File_write_all(fh, data, kParts, fitted, &status));
  CHECK_OK(MPI_Get_count(&status, fitted, &count));
  CHECK_EQ(count, kParts);
  publish(fh);
  CHECK_OK(MPI_File_seek(fh, 0, MPI_SEEK_SET));
  CHECK_OK(MPI_File_read_all(fh, back, kParts, fitted, &status));
  CHECK_OK(MPI_Get_count(&status, fitted, &count));
  CHECK_EQ(count, kParts);
  for (int i = 0; i < kParts; i++) CHECK(back[i].c == data[i].c && back[i].d == data[i].d && back[i].i == data[i].i);
  MPI_Offset size;
  CHECK_OK(MPI_File_get_size(fh, &size));
  CHECK_EQ(size, 13 * kParts * check_size);
  CHECK_OK(MPI_Type_free(&part));
  CHECK_OK(MPI_Type_free(&fitted));
  CHECK_OK(MPI_Type_free(&tile));
  close_and_delete(&fh);
}

// A filetype of elements that are smaller in the file: MPI_LONG has 4 bytes in external32.
static void external32_sizes(void) {
  MPI_Datatype vector;
  MPI_Aint extent;
  MPI_Offset where;
  CHECK_OK(MPI_Type_vector(4, 1, 3, MPI_LONG, &vector));
  CHECK_OK(MPI_Type_commit(&vector));
  MPI_File fh = new_file(MPI_INFO_NULL);
  CHECK_OK(MPI_File_set_view(fh, 0, MPI_LONG, vector, "external32", MPI_INFO_NULL));
  CHECK_OK(MPI_File_get_type_extent(fh, MPI_LONG, &extent));
  const int size = (int)extent;
  CHECK_OK(MPI_File_get_type_extent(fh, vector, &extent));
  CHECK_EQ(extent, 10 * size);
  CHECK_OK(MPI_File_get_byte_offset(fh, 5, &where));
  CHECK_EQ(where, (10 + 3) * size);
  long data[8], back[8] = {0};
  for (int i = 0; i < 8; i++) data[i] = -10 * i;
  if (check_rank == 0) CHECK_OK(MPI_File_write_at(fh, 0, data, 8, MPI_LONG, MPI_STATUS_IGNORE));
  publish(fh);
  CHECK_OK(MPI_File_read_at_all(fh, 0, back, 8, MPI_LONG, MPI_STATUS_IGNORE));
  CHECK_BYTES(back, data, sizeof data);
  CHECK_OK(MPI_Type_free(&vector));
  close_and_delete(&fh);
}

static void internal(void) {
  MPI_File fh = new_file(MPI_INFO_NULL);
  char datarep[MPI_MAX_DATAREP_STRING];
  MPI_Datatype etype, filetype;
  MPI_Offset disp;
  CHECK_OK(MPI_File_set_view(fh, 0, MPI_INT, MPI_INT, "internal", MPI_INFO_NULL));
  CHECK_OK(MPI_File_get_view(fh, &disp, &etype, &filetype, datarep));
  CHECK_STR(datarep, "internal");
  int value = check_rank + 5, back = 0;
  CHECK_OK(MPI_File_write_ordered(fh, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
  publish(fh);
  CHECK_OK(MPI_File_read_at(fh, check_rank, &back, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK_EQ(back, value);
  close_and_delete(&fh);
}

// A representation of the program's: an int is 8 bytes in the file, the value three times and a mark.
static int extra, reads, writes;

static int extent_in_file(MPI_Datatype type, MPI_Aint* extent, void* state) {
  if (state != &extra) return MPI_ERR_OTHER;
  MPI_Aint lb;
  MPI_Type_get_extent(type, &lb, extent);
  *extent *= 2;
  return MPI_SUCCESS;
}
static int from_file(void* user, MPI_Datatype type, int count, void* file, MPI_Offset position, void* state) {
  if (state != &extra || type != MPI_INT) return MPI_ERR_OTHER;
  reads++;
  for (int i = 0; i < count; i++) ((int*)user)[position + i] = ((int*)file)[2 * i] / 3;
  return MPI_SUCCESS;
}
static int to_file(void* user, MPI_Datatype type, int count, void* file, MPI_Offset position, void* state) {
  if (state != &extra || type != MPI_INT) return MPI_ERR_OTHER;
  writes++;
  for (int i = 0; i < count; i++) {
    ((int*)file)[2 * i] = ((int*)user)[position + i] * 3;
    ((int*)file)[2 * i + 1] = 77;
  }
  return MPI_SUCCESS;
}

static void own_representation(void) {
  CHECK_OK(MPI_Register_datarep("threefold", from_file, to_file, extent_in_file, &extra));
  CHECK_CLASS(MPI_Register_datarep("threefold", from_file, to_file, extent_in_file, &extra), MPI_ERR_DUP_DATAREP);
  CHECK_CLASS(MPI_Register_datarep("native", from_file, to_file, extent_in_file, &extra), MPI_ERR_DUP_DATAREP);
  MPI_File fh = new_file(MPI_INFO_NULL);
  MPI_Aint extent;
  MPI_Status status;
  int data[6], back[8] = {0}, count;
  CHECK_OK(MPI_File_set_view(fh, 0, MPI_INT, MPI_INT, "threefold", MPI_INFO_NULL));
  CHECK_OK(MPI_File_get_type_extent(fh, MPI_INT, &extent));
  CHECK_EQ(extent, 8);
  for (int i = 0; i < 6; i++) data[i] = 10 * check_rank + i;
  CHECK_OK(MPI_File_write_ordered(fh, data, 6, MPI_INT, &status));
  CHECK_OK(MPI_Get_count(&status, MPI_INT, &count));
  CHECK_EQ(count, 6);
  publish(fh);
  CHECK(writes > 0);
  long size;
  int* all = (int*)file_bytes(&size);
  if (CHECK_EQ(size, 48 * check_size))
    for (int i = 0; i < 6 * check_size; i++) {
      CHECK_EQ(all[2 * i], 3 * (i / 6 * 10 + i % 6));
      CHECK_EQ(all[2 * i + 1], 77);
    }
  free(all);
  CHECK_OK(MPI_File_read_at_all(fh, 6 * check_size - 4, back, 8, MPI_INT, &status));
  CHECK_OK(MPI_Get_count(&status, MPI_INT, &count));
  CHECK_EQ(count, 4);
  for (int i = 0; i < 8; i++) CHECK_EQ(back[i], i < 4 ? 10 * (check_size - 1) + 2 + i : 0);
  CHECK(reads > 0);
  CHECK_CLASS(MPI_File_write_all(fh, data, 1, MPI_FLOAT, &status), MPI_ERR_CONVERSION);
  close_and_delete(&fh);
}

static const CheckCase kCases[] = {
    {"external32", external32, 0}, {"external32, types", external32_types, 0},    {"external32, sizes", external32_sizes, 0},
    {"internal", internal, 0},     {"own representation", own_representation, 0},
};
CHECK_MAIN(kCases)
