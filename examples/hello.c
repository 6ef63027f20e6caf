// SPDX-License-Identifier: BSD-3-Clause
// Every rank says who and where it is. The ranks pass a token, so that the lines come in order.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char** argv) {
  int rank, size, length, token = 0;
  char host[MPI_MAX_PROCESSOR_NAME], library[MPI_MAX_LIBRARY_VERSION_STRING];

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Get_processor_name(host, &length);
  MPI_Get_library_version(library, &length);

  if (rank == 0) printf("%.*s\n", (int)strcspn(library, "\n"), library);
  if (rank > 0) MPI_Recv(&token, 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  printf("hello from rank %d of %d on %s\n", rank, size, host);
  fflush(stdout);
  if (rank + 1 < size) MPI_Send(&token, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);

  MPI_Finalize();
  return 0;
}
