// SPDX-License-Identifier: BSD-3-Clause
// Collective functions of files whose arguments must be the same at all processes, and are not (MPI 5.0 section 14.7).
// run: oracle=no
#include "files.h"

// Arguments that must be the same, and are not.
static void not_same(void) {
  MPI_File fh = MPI_FILE_NULL;
  new_file_name();
  const int amode = MPI_MODE_CREATE | (check_rank == 1 ? MPI_MODE_WRONLY : MPI_MODE_RDWR);
  CHECK_CLASS(MPI_File_open(MPI_COMM_WORLD, file_name, amode, MPI_INFO_NULL, &fh), MPI_ERR_NOT_SAME);
  CHECK_OK(MPI_File_open(MPI_COMM_WORLD, file_name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &fh));
  CHECK_CLASS(MPI_File_set_size(fh, check_rank == 1), MPI_ERR_NOT_SAME);
  CHECK_CLASS(MPI_File_set_atomicity(fh, check_rank == 1), MPI_ERR_NOT_SAME);
  CHECK_CLASS(MPI_File_seek_shared(fh, check_rank == 1, MPI_SEEK_SET), MPI_ERR_NOT_SAME);
  CHECK_CLASS(MPI_File_set_view(fh, 0, MPI_BYTE, MPI_BYTE, check_rank == 1 ? "internal" : "native", MPI_INFO_NULL),
              MPI_ERR_NOT_SAME);
  close_and_delete(&fh);
}

static const CheckCase kCases[] = {{"not the same", not_same, 2}};
CHECK_MAIN(kCases)
