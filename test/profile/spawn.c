// SPDX-License-Identifier: BSD-3-Clause
// Spawns two of itself: the profile of each job is to have its own calls, 3 x MPI_Allreduce here and 5 there.
#include <mpi.h>

int main(int argc, char** argv) {
  MPI_Comm parent, children;
  int in = 1, out;
  MPI_Init(&argc, &argv);
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL)
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
  else
    children = parent;
  for (int i = 0; i < (parent == MPI_COMM_NULL ? 3 : 5); ++i) MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_disconnect(&children);
  MPI_Finalize();
  return 0;
}
