// SPDX-License-Identifier: BSD-3-Clause
// Opening, closing, deleting; what can be asked of a file; errors (MPI 5.0 sections 14.2 and 14.7).
#include "files.h"

static int exists(const char* name) { return access(name, F_OK) == 0; }

static void modes(void) {
  const struct {
    int amode, error;
  } bad[] = {
      {0, MPI_ERR_AMODE},
      {MPI_MODE_CREATE, MPI_ERR_AMODE},
      {MPI_MODE_RDONLY | MPI_MODE_WRONLY, MPI_ERR_AMODE},
      {MPI_MODE_RDWR | MPI_MODE_WRONLY, MPI_ERR_AMODE},
      {MPI_MODE_RDONLY | MPI_MODE_CREATE, MPI_ERR_AMODE},
      {MPI_MODE_RDONLY | MPI_MODE_EXCL, MPI_ERR_AMODE},
      {MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL, MPI_ERR_AMODE},
      {MPI_MODE_RDONLY, MPI_ERR_NO_SUCH_FILE},
      {MPI_MODE_RDWR, MPI_ERR_NO_SUCH_FILE},
      {MPI_MODE_WRONLY, MPI_ERR_NO_SUCH_FILE},
  };
  MPI_File fh = MPI_FILE_NULL;
  new_file_name();
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    CHECK_CLASS(MPI_File_open(MPI_COMM_WORLD, file_name, bad[i].amode, MPI_INFO_NULL, &fh), bad[i].error);
    CHECK(!exists(file_name));
  }
  CHECK_OK(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY, MPI_INFO_NULL, &fh));
  CHECK(exists(file_name));
  int amode = 0;
  CHECK_OK(MPI_File_get_amode(fh, &amode));
  CHECK_EQ(amode, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY);
  CHECK_OK(MPI_File_close(&fh));
  CHECK_CLASS(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_RDWR, MPI_INFO_NULL, &fh),
              MPI_ERR_FILE_EXISTS);
  delete_file();
}

static void delete_on_close(void) {
  MPI_File fh;
  new_file_name();
  CHECK_OK(MPI_File_open(MPI_COMM_WORLD, file_name,
                         MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE | MPI_MODE_UNIQUE_OPEN, MPI_INFO_NULL,
                         &fh));
  CHECK(exists(file_name));
  CHECK_OK(MPI_File_close(&fh));
  CHECK(!exists(file_name));
}

static void delete_by_name(void) {
  MPI_File fh = new_file(MPI_INFO_NULL);
  CHECK_OK(MPI_File_close(&fh));
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  if (check_rank == 0) {
    CHECK_OK(MPI_File_delete(file_name, MPI_INFO_NULL));
    CHECK(!exists(file_name));
    CHECK_CLASS(MPI_File_delete(file_name, MPI_INFO_NULL), MPI_ERR_NO_SUCH_FILE);
  }
}

static void append(void) {
  MPI_File fh = new_file(MPI_INFO_NULL);
  MPI_Offset position;
  if (check_rank == 0) CHECK_OK(MPI_File_write_at(fh, 0, "0123456", 7, MPI_CHAR, MPI_STATUS_IGNORE));
  CHECK_OK(MPI_File_close(&fh));
  CHECK_OK(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_RDWR | MPI_MODE_APPEND, MPI_INFO_NULL, &fh));
  CHECK_OK(MPI_File_get_position(fh, &position));
  CHECK_EQ(position, 7);
  CHECK_OK(MPI_File_get_position_shared(fh, &position));
  CHECK_EQ(position, 7);
  CHECK_OK(MPI_File_write_ordered(fh, "x", 1, MPI_CHAR, MPI_STATUS_IGNORE));
  publish(fh);
  CHECK_OK(MPI_File_get_size(fh, &position));
  CHECK_EQ(position, 7 + check_size);
  close_and_delete(&fh);
}

static void sizes(void) {
  MPI_File fh = new_file(MPI_INFO_NULL);
  MPI_Offset size = -1;
  CHECK_OK(MPI_File_get_size(fh, &size));
  CHECK_EQ(size, 0);
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  CHECK_OK(MPI_File_set_size(fh, 1000));
  CHECK_OK(MPI_File_get_size(fh, &size));
  CHECK_EQ(size, 1000);
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  CHECK_OK(MPI_File_preallocate(fh, 5000));
  CHECK_OK(MPI_File_get_size(fh, &size));
  CHECK_EQ(size, 5000);
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  CHECK_OK(MPI_File_preallocate(fh, 100));
  CHECK_OK(MPI_File_get_size(fh, &size));
  CHECK_EQ(size, 5000);
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  CHECK_OK(MPI_File_set_size(fh, 0));
  CHECK_OK(MPI_File_get_size(fh, &size));
  CHECK_EQ(size, 0);
  CHECK_CLASS(MPI_File_set_size(fh, -1), MPI_ERR_ARG);
  close_and_delete(&fh);
}

static void groups(void) {
  MPI_Comm reversed;
  MPI_Group of_comm, of_file;
  MPI_File fh;
  int result;
  CHECK_OK(MPI_Comm_split(MPI_COMM_WORLD, 0, -check_rank, &reversed));
  new_file_name();
  CHECK_OK(MPI_File_open(reversed, file_name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &fh));
  CHECK_OK(MPI_Comm_group(reversed, &of_comm));
  CHECK_OK(MPI_Comm_free(&reversed));
  CHECK_OK(MPI_File_get_group(fh, &of_file));
  CHECK_OK(MPI_Group_compare(of_comm, of_file, &result));
  CHECK_EQ(result, MPI_IDENT);
  CHECK_OK(MPI_Group_free(&of_file));
  CHECK_OK(MPI_Group_free(&of_comm));
  CHECK_OK(MPI_File_write_ordered(fh, &check_rank, 1, MPI_INT, MPI_STATUS_IGNORE));
  publish(fh);
  int value = -1;
  CHECK_OK(MPI_File_read_at(fh, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK_EQ(value, check_size - 1);
  close_and_delete(&fh);
}

// A file of each process, and several handles on one file.
static void own_files(void) {
  char name[600];
  MPI_File mine, second;
  int value = -1;
  new_file_name();
  snprintf(name, sizeof name, "%s-%d", file_name, check_rank);
  CHECK_OK(
      MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &mine));
  CHECK_OK(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDONLY, MPI_INFO_NULL, &second));
  CHECK_OK(MPI_File_write(mine, &check_rank, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK_OK(MPI_File_sync(mine));
  CHECK_OK(MPI_File_read_all(second, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK_EQ(value, check_rank);
  CHECK_OK(MPI_File_close(&second));
  CHECK_OK(MPI_File_close(&mine));
  CHECK(!exists(name));
}

static void prefixes(void) {
  char name[600];
  MPI_File fh;
  new_file_name();
  snprintf(name, sizeof name, "ufs:%s", file_name);
  CHECK_OK(MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &fh));
  CHECK(exists(file_name));
  CHECK_OK(MPI_File_close(&fh));
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  if (check_rank == 0) CHECK_OK(MPI_File_delete(name, MPI_INFO_NULL));
  CHECK_OK(MPI_Barrier(MPI_COMM_WORLD));
  CHECK(!exists(file_name));
}

static void hint(MPI_File fh, const char* key, const char* want) {
  MPI_Info info;
  char value[MPI_MAX_INFO_VAL + 1] = "";
  int flag = 0, length = sizeof value;
  CHECK_OK(MPI_File_get_info(fh, &info));
  CHECK_OK(MPI_Info_get_string(info, key, &length, value, &flag));
  CHECK(flag);
  CHECK_STR(value, want);
  CHECK_OK(MPI_Info_free(&info));
}

static void hints(void) {
  MPI_Info info;
  CHECK_OK(MPI_Info_create(&info));
  CHECK_OK(MPI_Info_set(info, "cb_buffer_size", "1048576"));
  CHECK_OK(MPI_Info_set(info, "romio_cb_write", "enable"));
  CHECK_OK(MPI_Info_set(info, "romio_ds_read", "disable"));
  CHECK_OK(MPI_Info_set(info, "unknown_to_everybody", "1"));
  MPI_File fh = new_file(info);
  hint(fh, "cb_buffer_size", "1048576");
  hint(fh, "romio_cb_write", "enable");
  hint(fh, "romio_ds_read", "disable");
  hint(fh, "cb_nodes", "1");
  CHECK_OK(MPI_Info_free(&info));
  CHECK_OK(MPI_Info_create(&info));
  CHECK_OK(MPI_Info_set(info, "ind_rd_buffer_size", "65536"));
  CHECK_OK(MPI_File_set_info(fh, info));
  hint(fh, "ind_rd_buffer_size", "65536");
  hint(fh, "cb_buffer_size", "1048576");
  CHECK_OK(MPI_Info_free(&info));
  close_and_delete(&fh);
}

static void wrong_access(void) {
  MPI_File fh = new_file(MPI_INFO_NULL);
  int value = 0;
  CHECK_OK(MPI_File_close(&fh));
  CHECK_OK(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_RDONLY, MPI_INFO_NULL, &fh));
  CHECK_CLASS(MPI_File_write(fh, &value, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_READ_ONLY);
  CHECK_OK(MPI_File_close(&fh));
  CHECK_OK(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_WRONLY, MPI_INFO_NULL, &fh));
  CHECK_CLASS(MPI_File_read(fh, &value, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_ACCESS);
  CHECK_OK(MPI_File_close(&fh));
  CHECK_OK(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL, MPI_INFO_NULL, &fh));
  CHECK_CLASS(MPI_File_write_at(fh, 0, &value, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_UNSUPPORTED_OPERATION);
  CHECK_CLASS(MPI_File_write(fh, &value, 1, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_UNSUPPORTED_OPERATION);
  CHECK_CLASS(MPI_File_seek(fh, 0, MPI_SEEK_SET), MPI_ERR_UNSUPPORTED_OPERATION);
  CHECK_OK(MPI_File_write_shared(fh, &value, 1, MPI_INT, MPI_STATUS_IGNORE));
  CHECK_OK(MPI_File_close(&fh));
  CHECK_CLASS(MPI_File_open(MPI_COMM_WORLD, "/no/such/folder/file", MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &fh),
              MPI_ERR_NO_SUCH_FILE);
  delete_file();
}

static int full_calls;
static void count_full(MPI_File* fh, int* code, ...) {
  int class;
  (void)fh;
  MPI_Error_class(*code, &class);
  full_calls += class == MPI_ERR_NO_SPACE;
}

// A device that is always full. In a collective write all whose data could not be written are told.
static void full_disk(void) {
  MPI_File fh;
  MPI_Info info;
  MPI_Request request;
  MPI_Datatype tile;
  MPI_Errhandler counter;
  int data[10] = {0};
  if (!exists("/dev/full")) return;
  CHECK_OK(MPI_Info_create(&info));
  CHECK_OK(MPI_Info_set(info, "romio_cb_write", "enable"));
  CHECK_OK(MPI_File_open(MPI_COMM_WORLD, "/dev/full", MPI_MODE_WRONLY, info, &fh));
  CHECK_OK(MPI_Info_free(&info));
  CHECK_CLASS(MPI_File_write_at(fh, 0, data, 10, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_NO_SPACE);
  CHECK_OK(MPI_Type_create_resized(MPI_INT, 0, (MPI_Aint)sizeof(int) * check_size, &tile));
  CHECK_OK(MPI_Type_commit(&tile));
  CHECK_OK(MPI_File_set_view(fh, (MPI_Offset)sizeof(int) * check_rank, MPI_INT, tile, "native", MPI_INFO_NULL));
  CHECK_CLASS(MPI_File_write_at_all(fh, 0, data, 10, MPI_INT, MPI_STATUS_IGNORE), MPI_ERR_NO_SPACE);
  CHECK_OK(MPI_File_create_errhandler(count_full, &counter));
  CHECK_OK(MPI_File_set_errhandler(fh, counter));
  CHECK_OK(MPI_Errhandler_free(&counter));
  full_calls = 0;
  CHECK_OK(MPI_File_iwrite_at_all(fh, 0, data, 10, MPI_INT, &request));
  CHECK_CLASS(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_ERR_NO_SPACE);
  CHECK(request == MPI_REQUEST_NULL);
  CHECK_EQ(full_calls, 1);
  CHECK_OK(MPI_File_write_at_all_begin(fh, 0, data, 10, MPI_INT));
  CHECK_CLASS(MPI_File_write_at_all_end(fh, data, MPI_STATUS_IGNORE), MPI_ERR_NO_SPACE);
  CHECK_OK(MPI_Type_free(&tile));
  CHECK_OK(MPI_File_close(&fh));
}

static void many_files(void) {
  enum { kFiles = 12 };
  MPI_File files[kFiles];
  new_file_name();
  for (int i = 0; i < kFiles; i++)
    CHECK_OK(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &files[i]));
  for (int i = 0; i < kFiles; i++) CHECK_OK(MPI_File_write_shared(files[i], &i, 1, MPI_INT, MPI_STATUS_IGNORE));
  for (int i = kFiles - 1; i >= 0; i--) CHECK_OK(MPI_File_close(&files[i]));
  delete_file();
}

static const CheckCase kCases[] = {
    {"modes", modes, 0},
    {"delete on close", delete_on_close, 0},
    {"delete by name", delete_by_name, 0},
    {"append", append, 0},
    {"sizes", sizes, 0},
    {"groups", groups, 0},
    {"own files", own_files, 0},
    {"prefixes", prefixes, 0},
    {"hints", hints, 0},
    {"wrong access", wrong_access, 0},
    {"full disk", full_disk, 0},
    {"many files", many_files, 0},
};
CHECK_MAIN(kCases)
