// SPDX-License-Identifier: BSD-3-Clause
// The job of which a rank is killed: every rank writes its process id to DIR/pid.RANK and then does MODE for ever.
//   send        large and small messages round the ring
//   collective  allreduce of changing sizes
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

int main(int argc, char** argv) {
  static char in[kLargest], out[kLargest];
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (argc != 3) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Barrier(MPI_COMM_WORLD);
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
