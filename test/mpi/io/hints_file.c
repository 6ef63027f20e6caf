// SPDX-License-Identifier: BSD-3-Clause
// The file that ROMIO_HINTS names. The library may look at its environment before main, so the program starts itself again.
#include "files.h"

static char hints_path[64];

static void expect(MPI_File fh, const char* key, const char* expected) {
  char value[MPI_MAX_INFO_VAL + 1] = "";
  int flag = 0;
  MPI_Info used;
  CHECK_OK(MPI_File_get_info(fh, &used));
  CHECK_OK(MPI_Info_get(used, key, MPI_MAX_INFO_VAL, value, &flag));
  CHECK(flag);
  CHECK_STR(value, expected);
  CHECK_OK(MPI_Info_free(&used));
}

static void from_the_file(void) {
  MPI_File fh = new_file(MPI_INFO_NULL);
  expect(fh, "cb_buffer_size", "65536");
  expect(fh, "romio_ds_write", "disable");
  close_and_delete(&fh);
}

static void program_comes_first(void) {
  MPI_Info info;
  CHECK_OK(MPI_Info_create(&info));
  CHECK_OK(MPI_Info_set(info, "romio_ds_write", "enable"));
  MPI_File fh = new_file(info);
  expect(fh, "cb_buffer_size", "65536");
  expect(fh, "romio_ds_write", "enable");
  close_and_delete(&fh);
  CHECK_OK(MPI_Info_free(&info));
}

static const CheckCase kCases[] = {{"from the file", from_the_file, 0}, {"the program comes first", program_comes_first, 0}};

int main(int argc, char** argv) {
  snprintf(hints_path, sizeof hints_path, "/tmp/starling-hints-%d", (int)getpid());
  if (!getenv("ROMIO_HINTS")) {
    FILE* file = fopen(hints_path, "w");
    if (!file || fputs("# a comment\ncb_buffer_size 65536\nromio_ds_write disable\nnobody_knows this\n", file) < 0 ||
        fclose(file) != 0)
      return EXIT_FAILURE;
    setenv("ROMIO_HINTS", hints_path, 1);
    execv("/proc/self/exe", argv);
    return EXIT_FAILURE;
  }
  MPI_Init(&argc, &argv);
  int failed = check_run(kCases, (int)(sizeof kCases / sizeof *kCases));
  MPI_Finalize();
  unlink(hints_path);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
