// SPDX-License-Identifier: BSD-3-Clause
// A program of before MPI-4 sets a handler of MPI_COMM_WORLD only, for the errors of calls without a communicator, too.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int failed = 0, class = MPI_SUCCESS, rank = 0;
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Error_class(MPI_Type_contiguous(-1, MPI_INT, &type), &class);
  failed += class != MPI_ERR_COUNT;
  MPI_Error_class(MPI_Group_incl(MPI_GROUP_NULL, 0, NULL, &(MPI_Group){MPI_GROUP_NULL}), &class);
  failed += class != MPI_ERR_GROUP;
  MPI_Finalize();
  if (rank == 0) printf("%d passed, %d failed\n", 2 - failed, failed);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
