// SPDX-License-Identifier: BSD-3-Clause
// The job of which a rank is killed: every rank writes its process id to DIR/pid.RANK and then does MODE for ever.
//   send        large and small messages round the ring
//   collective  allreduce of changing sizes
//   write       collective writes of small records to DIR/data, interleaved; every fifth record of 4 ranks is nobody's
//   finalize    the last rank sleeps, the others wait for it in MPI_Finalize
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kLargest = 1 << 20 };

static void tell_pid(const char* directory, int rank) {
  char path[1024], temporary[1100];
  snprintf(path, sizeof path, "%s/pid.%d", directory, rank);
  snprintf(temporary, sizeof temporary, "%s.new", path);
  FILE* file = fopen(temporary, "w");
  if (!file) exit(3);
  fprintf(file, "%d\n", (int)getpid());
  fclose(file);
  rename(temporary, path);  // so that a reader never sees half a number
}

// Record i of the file belongs to rank i % (size + 1), and holds its letter or, as at the beginning, dots.
static void write_file(const char* directory, int rank, int size, char* letters) {
  enum { kRecord = 64, kEach = 2000 };
  char path[1024];
  MPI_File file;
  MPI_Datatype record, tile;
  snprintf(path, sizeof path, "%s/data", directory);
  const int slot = kRecord * (size + 1);
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  memset(letters, '.', (size_t)slot * kEach);
  if (rank == 0) MPI_File_write_at(file, 0, letters, slot * kEach, MPI_BYTE, MPI_STATUS_IGNORE);
  MPI_Type_contiguous(kRecord, MPI_BYTE, &record);
  MPI_Type_create_resized(record, 0, slot, &tile);
  MPI_Type_commit(&tile);
  MPI_File_set_view(file, kRecord * rank, MPI_BYTE, tile, "native", MPI_INFO_NULL);
  tell_pid(directory, rank);
  memset(letters, 'a' + rank, (size_t)kRecord * kEach);
  for (;;) MPI_File_write_at_all(file, 0, letters, kRecord * kEach, MPI_BYTE, MPI_STATUS_IGNORE);
}

int main(int argc, char** argv) {
  static char in[kLargest], out[kLargest];
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 3) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Barrier(MPI_COMM_WORLD);
  if (strcmp(argv[1], "write") == 0) write_file(argv[2], rank, size, out);
  tell_pid(argv[2], rank);
  for (int bytes = 8; strcmp(argv[1], "send") == 0; bytes = bytes < kLargest ? bytes * 8 : 8) {
    if (bytes > kLargest) bytes = kLargest;
    MPI_Sendrecv(out, bytes, MPI_BYTE, (rank + 1) % size, 0, in, bytes, MPI_BYTE, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  for (int count = 1; strcmp(argv[1], "collective") == 0; count = count < 10000 ? count * 10 : 1) {
    MPI_Allreduce(out, in, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  if (rank == size - 1) pause();
  MPI_Finalize();
  return 0;
}
