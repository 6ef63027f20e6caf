// SPDX-License-Identifier: BSD-3-Clause
// Views: which bytes a process sees (MPI 5.0 section 14.3), by every way of access that is collective and some that are not.
#include "files.h"

enum { kWide = 24, kHigh = 18 };

static int cell(int row, int column) { return 1000 * row + column + 1; }

// The processes own parts of a matrix by rows, columns or blocks, cyclically or not; together they write all of it.
static void write_matrix(MPI_Datatype filetype, int cells) {
  const Way* ways[] = {&kWays[2], &kWays[3], &kWays[4], &kWays[5], &kWays[7], &kWays[8], &kWays[9]};
  int* data = check_alloc((size_t)cells * sizeof(int));
  int* back = check_alloc((size_t)cells * sizeof(int));
  for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
    MPI_File fh = new_file(MPI_INFO_NULL);
    MPI_Status status;
    int count;
    // What is mine is found by reading a matrix that rank 0 writes first.
    if (check_rank == 0) {
      int matrix[kHigh * kWide];
      for (int i = 0; i < kHigh * kWide; i++) matrix[i] = cell(i / kWide, i % kWide);
      CHECK_OK(MPI_File_write_at(fh, 0, matrix, kHigh * kWide, MPI_INT, MPI_STATUS_IGNORE));
    }
    publish(fh);
    CHECK_OK(MPI_File_set_view(fh, 0, MPI_INT, filetype, "native", MPI_INFO_NULL));
    memset(data, 0, (size_t)cells * sizeof(int));
    CHECK_OK(read_way(ways[w], fh, 0, data, cells, MPI_INT, &status));
    CHECK_OK(MPI_Get_count(&status, MPI_INT, &count));
    CHECK_EQ(count, cells);
    for (int i = 1; i < cells; i++)
      if (!CHECK(data[i] > data[i - 1])) break;
    long long mine = 0, all = 0, want = 0;
    for (int i = 0; i < cells; i++) mine += data[i];
    for (int i = 0; i < kHigh * kWide; i++) want += cell(i / kWide, i % kWide);
    CHECK_OK(MPI_Allreduce(&mine, &all, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD));
    CHECK_EQ(all, want);

    for (int i = 0; i < cells; i++) back[i] = -data[i];
    CHECK_OK(MPI_File_seek(fh, 0, MPI_SEEK_SET));
    CHECK_OK(write_way(ways[w], fh, 0, back, cells, MPI_INT, &status));
    publish(fh);
    long size;
    int* matrix = (int*)file_bytes(&size);
    CHECK_EQ(size, (long)sizeof(int) * kHigh * kWide);
    for (int i = 0; i < kHigh * kWide && size == (long)sizeof(int) * kHigh * kWide; i++)
      if (!CHECK_EQ(matrix[i], -cell(i / kWide, i % kWide))) break;
    free(matrix);
    close_and_delete(&fh);
  }
  free(data);
  free(back);
}

static void darrays(void) {
  const int gsizes[2] = {kHigh, kWide};
  const struct {
    int distribution[2], argument[2];
  } shapes[] = {
      {{MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_BLOCK}, {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}},
      {{MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC}, {MPI_DISTRIBUTE_DFLT_DARG, 3}},
      {{MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC}, {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG}},
  };
  for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
    int grid[2] = {0, 0}, bytes;
    MPI_Datatype type;
    CHECK_OK(MPI_Dims_create(check_size, 2, grid));
    CHECK_OK(MPI_Type_create_darray(check_size, check_rank, 2, gsizes, shapes[s].distribution, shapes[s].argument, grid,
                                    MPI_ORDER_C, MPI_INT, &type));
    CHECK_OK(MPI_Type_commit(&type));
    CHECK_OK(MPI_Type_size(type, &bytes));
    write_matrix(type, bytes / (int)sizeof(int));
    CHECK_OK(MPI_Type_free(&type));
  }
}

static void subarray_columns(void) {
  const int sizes[2] = {kHigh, kWide};
  const int first = kWide * check_rank / check_size, last = kWide * (check_rank + 1) / check_size;
  const int subsizes[2] = {kHigh, last - first}, starts[2] = {0, first};
  MPI_Datatype type;
  CHECK_OK(MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_C, MPI_INT, &type));
  CHECK_OK(MPI_Type_commit(&type));
  write_matrix(type, kHigh * (last - first));
  CHECK_OK(MPI_Type_free(&type));
}

// Displacement, a filetype with gaps on both sides, offsets in etypes, access from the middle of a tile on.
static void offsets_and_tiles(void) {
  MPI_File fh = new_file(MPI_INFO_NULL);
  MPI_Datatype pairs, tile, again, type;
  int combiner, n[3];
  MPI_Offset disp, position;
  char datarep[MPI_MAX_DATAREP_STRING];
  const int lengths[2] = {2, 1}, displacements[2] = {1, 5};
  CHECK_OK(MPI_Type_indexed(2, lengths, displacements, MPI_INT, &pairs));
  CHECK_OK(MPI_Type_create_resized(pairs, 0, 8 * sizeof(int), &tile));
  CHECK_OK(MPI_Type_commit(&tile));
  CHECK_OK(MPI_Type_free(&pairs));
  CHECK_OK(MPI_File_set_view(fh, 100, MPI_INT, tile, "native", MPI_INFO_NULL));
  CHECK_OK(MPI_Type_free(&tile));  // the file keeps it
  const int slots[3] = {1, 2, 5};
  for (int i = 0; i < 20; i++) {
    CHECK_OK(MPI_File_get_byte_offset(fh, i, &disp));
    CHECK_EQ(disp, 100 + (i / 3 * 8 + slots[i % 3]) * (int)sizeof(int));
  }
  CHECK_OK(MPI_File_get_view(fh, &disp, &type, &again, datarep));
  CHECK_EQ(disp, 100);
  CHECK(type == MPI_INT);
  CHECK_STR(datarep, "native");
  CHECK_OK(MPI_Type_get_envelope(again, &n[0], &n[1], &n[2], &combiner));
  CHECK(combiner != MPI_COMBINER_NAMED);
  CHECK_OK(MPI_Type_free(&again));

  if (check_rank == 0) {
    int data[10], back[10];
    for (int i = 0; i < 10; i++) data[i] = 50 + i;
    CHECK_OK(MPI_File_write_at(fh, 4, data, 10, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_OK(MPI_File_read_at(fh, 4, back, 10, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_BYTES(back, data, sizeof data);
    CHECK_OK(MPI_File_seek(fh, 0, MPI_SEEK_END));
    CHECK_OK(MPI_File_get_position(fh, &position));
    CHECK_EQ(position, 14);
    CHECK_OK(MPI_File_seek(fh, -3, MPI_SEEK_CUR));
    CHECK_OK(MPI_File_read(fh, back, 1, MPI_INT, MPI_STATUS_IGNORE));
    CHECK_EQ(back[0], 57);
    CHECK_CLASS(MPI_File_seek(fh, -13, MPI_SEEK_CUR), MPI_ERR_ARG);
  }
  publish(fh);
  if (check_rank == 0) {
    long size;
    int* all = (int*)file_bytes(&size);
    for (int i = 0; i < (int)(size / (long)sizeof(int)) - 25; i++) {
      const int slot = i % 8, k = slot == 1 ? 0 : slot == 2 ? 1 : slot == 5 ? 2 : -1;
      const int number = i / 8 * 3 + k;
      CHECK_EQ(all[25 + i], k >= 0 && number >= 4 && number < 14 ? 46 + number : 0);
    }
    free(all);
  }
  close_and_delete(&fh);
}

// Each writes its own bytes of small interleaved records; together all, or leaving holes that keep what was there.
static void holes_stay(void) {
  enum { kRecords = 500, kRecord = 7 };
  MPI_Datatype record, tile;
  const int slots = check_size + 1;  // the last one is nobody's
  char data[kRecords * kRecord], *before;
  CHECK_OK(MPI_Type_contiguous(kRecord, MPI_BYTE, &record));
  CHECK_OK(MPI_Type_create_resized(record, 0, kRecord * slots, &tile));
  CHECK_OK(MPI_Type_commit(&tile));
  CHECK_OK(MPI_Type_free(&record));
  memset(data, 'a' + check_rank, sizeof data);
  for (int w = 0; w < kWayCount; w++) {
    if (kWays[w].where >= kShared) continue;
    MPI_File fh = new_file(MPI_INFO_NULL);
    const int bytes = kRecords * kRecord * slots;
    before = check_alloc((size_t)bytes);
    memset(before, '.', (size_t)bytes);
    if (check_rank == 0) CHECK_OK(MPI_File_write_at(fh, 0, before, bytes, MPI_BYTE, MPI_STATUS_IGNORE));
    publish(fh);
    CHECK_OK(MPI_File_set_view(fh, kRecord * check_rank, MPI_BYTE, tile, "native", MPI_INFO_NULL));
    CHECK_OK(write_way(&kWays[w], fh, 0, data, sizeof data, MPI_BYTE, MPI_STATUS_IGNORE));
    publish(fh);
    long size;
    char* all = (char*)file_bytes(&size);
    CHECK_EQ(size, bytes);
    for (int i = 0; i < bytes && size == bytes; i++) {
      const int slot = i / kRecord % slots;
      if (!CHECK_EQ(all[i], slot < check_size ? 'a' + slot : '.')) break;
    }
    free(all);
    free(before);
    close_and_delete(&fh);
  }
  CHECK_OK(MPI_Type_free(&tile));
}

static void wrong_views(void) {
  MPI_File fh = new_file(MPI_INFO_NULL);
  MPI_Datatype odd, backwards;
  const int lengths[2] = {1, 1}, displacements[2] = {3, 0};
  CHECK_OK(MPI_Type_contiguous(3, MPI_BYTE, &odd));
  CHECK_OK(MPI_Type_commit(&odd));
  CHECK_OK(MPI_Type_indexed(2, lengths, displacements, MPI_INT, &backwards));
  CHECK_OK(MPI_Type_commit(&backwards));
  CHECK_CLASS(MPI_File_set_view(fh, 0, MPI_INT, odd, "native", MPI_INFO_NULL), MPI_ERR_ARG);
  CHECK_CLASS(MPI_File_set_view(fh, -5, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), MPI_ERR_ARG);
  CHECK_CLASS(MPI_File_set_view(fh, MPI_DISPLACEMENT_CURRENT, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL), MPI_ERR_ARG);
  CHECK_CLASS(MPI_File_set_view(fh, 0, MPI_BYTE, MPI_BYTE, "no such thing", MPI_INFO_NULL), MPI_ERR_UNSUPPORTED_DATAREP);
  CHECK(MPI_File_set_view(fh, 0, MPI_INT, backwards, "native", MPI_INFO_NULL) != MPI_SUCCESS);
  int value = check_rank;
  CHECK_OK(MPI_File_write_ordered(fh, &value, 1, MPI_INT, MPI_STATUS_IGNORE));  // the view is what it was
  CHECK_OK(MPI_Type_free(&odd));
  CHECK_OK(MPI_Type_free(&backwards));
  close_and_delete(&fh);
}

// A sequential file goes on where it is.
static void sequential(void) {
  MPI_File fh;
  MPI_Offset disp;
  MPI_Datatype etype, filetype;
  char datarep[MPI_MAX_DATAREP_STRING];
  new_file_name();
  CHECK_OK(
      MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL, &fh));
  CHECK_OK(MPI_File_write_ordered(fh, "xyz", 3, MPI_CHAR, MPI_STATUS_IGNORE));
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  CHECK_OK(MPI_File_set_view(fh, MPI_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  CHECK_OK(MPI_File_get_view(fh, &disp, &etype, &filetype, datarep));
  CHECK_EQ(disp, 3 * check_size);
  CHECK(etype == MPI_INT && filetype == MPI_INT);
  CHECK_OK(MPI_File_write_shared(fh, &check_size, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK_OK(MPI_File_close(&fh));
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  long size;
  unsigned char* all = file_bytes(&size);
  CHECK_EQ(size, (long)(3 + sizeof(int)) * check_size);
  free(all);
  delete_file();
}

static const CheckCase kCases[] = {
    {"darrays", darrays, 0},
    {"subarray, columns", subarray_columns, 0},
    {"offsets and tiles", offsets_and_tiles, 0},
    {"holes stay", holes_stay, 0},
    {"wrong views", wrong_views, 0},
    {"sequential", sequential, 0},
};
CHECK_MAIN(kCases)
