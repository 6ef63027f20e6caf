// SPDX-License-Identifier: BSD-3-Clause
// File pointers, atomic mode, split collective rules, error handlers of files (MPI 5.0 sections 14.4, 14.6, 14.7).
#include "files.h"

static void shared_pointer(void) {
  enum { kEach = 50 };
  MPI_File fh = new_file(MPI_INFO_NULL);
  MPI_Offset position;
  CHECK_OK(MPI_File_set_view(fh, 8, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
  for (int i = 0; i < kEach; i++) {
    const int value = check_rank * kEach + i;
    CHECK_OK(MPI_File_write_shared(fh, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
  }
  publish(fh);
  CHECK_OK(MPI_File_get_position_shared(fh, &position));
  CHECK_EQ(position, kEach * check_size);
  int* all = check_alloc(sizeof(int) * kEach * (size_t)check_size);
  char* seen = check_alloc((size_t)(kEach * check_size));
  CHECK_OK(MPI_File_read_at_all(fh, 0, all, kEach * check_size, MPI_INT, MPI_STATUS_IGNORE));
  for (int i = 0; i < kEach * check_size; i++) {
    if (!CHECK(all[i] >= 0 && all[i] < kEach * check_size)) break;
    if (!CHECK(!seen[all[i]])) break;
    seen[all[i]] = 1;
  }
  CHECK_OK(MPI_File_seek_shared(fh, -2, MPI_SEEK_END));
  CHECK_OK(MPI_File_get_position_shared(fh, &position));
  CHECK_EQ(position, kEach * check_size - 2);
  CHECK_OK(MPI_File_seek_shared(fh, 1, MPI_SEEK_CUR));
  CHECK_OK(MPI_File_get_position_shared(fh, &position));
  CHECK_EQ(position, kEach * check_size - 1);
  CHECK_OK(MPI_File_set_view(fh, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
  CHECK_OK(MPI_File_get_position_shared(fh, &position));
  CHECK_EQ(position, 0);
  free(all);
  free(seen);
  close_and_delete(&fh);
}

// Parts of different lengths, in the order of the ranks, again and again.
static void ordered(void) {
  MPI_File fh = new_file(MPI_INFO_NULL);
  int data[64];
  for (int i = 0; i < 64; i++) data[i] = check_rank * 100 + i;
  for (int round = 0; round < 3; round++)
    CHECK_OK(MPI_File_write_ordered(fh, data, check_rank + round, MPI_INT, MPI_STATUS_IGNORE));
  publish(fh);
  long size;
  int *all = (int*)file_bytes(&size), at = 0;
  for (int round = 0; round < 3; round++)
    for (int r = 0; r < check_size; r++)
      for (int i = 0; i < r + round; i++, at++)
        if (at < (int)(size / (long)sizeof(int))) CHECK_EQ(all[at], r * 100 + i);
  CHECK_EQ(size, at * (long)sizeof(int));
  free(all);
  CHECK_OK(MPI_File_seek_shared(fh, 0, MPI_SEEK_SET));
  for (int round = 0; round < 3; round++) {
    int back[64] = {0};
    CHECK_OK(MPI_File_read_ordered_begin(fh, back, check_rank + round, MPI_INT));
    CHECK_OK(MPI_File_read_ordered_end(fh, back, MPI_STATUS_IGNORE));
    CHECK_BYTES(back, data, sizeof(int) * (size_t)(check_rank + round));
  }
  close_and_delete(&fh);
}

// In atomic mode a record is never seen half written.
static void atomic_mode(void) {
  enum { kBytes = 20000, kRounds = 30 };
  MPI_File fh = new_file(MPI_INFO_NULL);
  static unsigned char data[kBytes], back[kBytes];
  int flag = 1;
  CHECK_OK(MPI_File_get_atomicity(fh, &flag));
  CHECK_EQ(flag, 0);
  CHECK_OK(MPI_File_set_atomicity(fh, 1));
  CHECK_OK(MPI_File_get_atomicity(fh, &flag));
  CHECK_EQ(flag, 1);
  memset(data, 'A', kBytes);
  CHECK_OK(MPI_File_write_at_all(fh, 0, data, kBytes, MPI_BYTE, MPI_STATUS_IGNORE));
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  for (int round = 0; round < kRounds; round++) {
    memset(data, 'A' + check_rank, kBytes);
    if (round % 2 == check_rank % 2) {
      CHECK_OK(MPI_File_write_at(fh, 0, data, kBytes, MPI_BYTE, MPI_STATUS_IGNORE));
    } else {
      CHECK_OK(MPI_File_read_at(fh, 0, back, kBytes, MPI_BYTE, MPI_STATUS_IGNORE));
      for (int i = 1; i < kBytes; i++)
        if (!CHECK_EQ(back[i], back[0])) break;
    }
  }
  CHECK_OK(MPI_File_set_atomicity(fh, 0));
  close_and_delete(&fh);
}

// In atomic mode with a view that has gaps, two processes that write the same records leave those of one of them.
static void atomic_records(void) {
  enum { kRecords = 200, kRecord = 16 };
  MPI_File fh = new_file(MPI_INFO_NULL);
  MPI_Datatype tile;
  char data[kRecords * kRecord], back[kRecords * kRecord];
  CHECK_OK(MPI_Type_create_resized(MPI_BYTE, 0, 3, &tile));
  CHECK_OK(MPI_Type_commit(&tile));
  CHECK_OK(MPI_File_set_view(fh, 1, MPI_BYTE, tile, "native", MPI_INFO_NULL));
  CHECK_OK(MPI_File_set_atomicity(fh, 1));
  memset(data, 'a' + check_rank, sizeof data);
  CHECK_OK(MPI_File_write_at_all(fh, 0, data, sizeof data, MPI_BYTE, MPI_STATUS_IGNORE));
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  CHECK_OK(MPI_File_read_at_all(fh, 0, back, sizeof back, MPI_BYTE, MPI_STATUS_IGNORE));
  for (int i = 1; i < (int)sizeof back; i++)
    if (!CHECK_EQ(back[i], back[0])) break;
  CHECK_OK(MPI_Type_free(&tile));
  close_and_delete(&fh);
}

static void split_rules(void) {
  MPI_File fh = new_file(MPI_INFO_NULL);
  int a = check_rank, b = 0;
  MPI_Status status;
  CHECK(MPI_File_write_all_end(fh, &a, &status) != MPI_SUCCESS);
  CHECK_OK(MPI_File_write_at_all_begin(fh, (MPI_Offset)sizeof a * check_rank, &a, 1, MPI_INT));
  CHECK(MPI_File_read_all_begin(fh, &b, 1, MPI_INT) != MPI_SUCCESS);
  CHECK(MPI_File_write_all_end(fh, &a, &status) != MPI_SUCCESS);
  CHECK_OK(MPI_File_write_at_all_end(fh, &a, &status));
  int count;
  CHECK_OK(MPI_Get_count(&status, MPI_INT, &count));
  CHECK_EQ(count, 1);
  close_and_delete(&fh);
}

static int handler_calls, handler_class;
static MPI_File handler_file;
static void handler(MPI_File* fh, int* code, ...) {
  handler_calls++;
  handler_file = *fh;
  MPI_Error_class(*code, &handler_class);
}

static void handlers(void) {
  MPI_Errhandler mine, now;
  MPI_File fh = MPI_FILE_NULL;
  int value = 0;
  CHECK_OK(MPI_File_get_errhandler(MPI_FILE_NULL, &now));
  CHECK(now == MPI_ERRORS_RETURN);
  CHECK_OK(MPI_Errhandler_free(&now));
  CHECK_OK(MPI_File_create_errhandler(handler, &mine));
  CHECK_OK(MPI_File_set_errhandler(MPI_FILE_NULL, mine));
  handler_calls = 0;
  CHECK_CLASS(MPI_File_open(MPI_COMM_WORLD, "/no/such/file", MPI_MODE_RDONLY, MPI_INFO_NULL, &fh), MPI_ERR_NO_SUCH_FILE);
  CHECK_EQ(handler_calls, 1);
  CHECK_EQ(handler_class, MPI_ERR_NO_SUCH_FILE);
  CHECK(handler_file == MPI_FILE_NULL);
  fh = new_file(MPI_INFO_NULL);  // new files have the handler of MPI_FILE_NULL
  CHECK_OK(MPI_File_close(&fh));
  CHECK_OK(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_RDONLY, MPI_INFO_NULL, &fh));
  CHECK_OK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
  CHECK_OK(MPI_File_get_errhandler(fh, &now));
  CHECK(now == mine);
  CHECK_OK(MPI_Errhandler_free(&now));
  handler_calls = 0;
  CHECK_CLASS(MPI_File_write(fh, &value, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_READ_ONLY);
  CHECK_EQ(handler_calls, 1);
  CHECK_EQ(handler_class, MPI_ERR_READ_ONLY);
  CHECK(handler_file == fh);
  CHECK_OK(MPI_File_call_errhandler(fh, MPI_ERR_FILE));
  CHECK_EQ(handler_calls, 2);
  CHECK_EQ(handler_class, MPI_ERR_FILE);
  CHECK_OK(MPI_File_set_errhandler(fh, MPI_ERRORS_RETURN));
  CHECK_CLASS(MPI_File_write(fh, &value, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_READ_ONLY);
  CHECK_EQ(handler_calls, 2);
  CHECK_OK(MPI_Errhandler_free(&mine));
  close_and_delete(&fh);
}

static void integers(void) {
  MPI_File fh = new_file(MPI_INFO_NULL);
  CHECK(MPI_File_fromint(MPI_File_toint(fh)) == fh);
  CHECK(MPI_File_fromint(MPI_File_toint(MPI_FILE_NULL)) == MPI_FILE_NULL);
  close_and_delete(&fh);
}

static const CheckCase kCases[] = {
    {"shared pointer", shared_pointer, 0}, {"ordered", ordered, 0},         {"atomic mode", atomic_mode, 0},
    {"atomic records", atomic_records, 0}, {"split rules", split_rules, 0}, {"error handlers", handlers, 0},
    {"handles as integers", integers, 0},
};
CHECK_MAIN(kCases)
