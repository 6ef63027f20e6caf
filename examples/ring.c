// SPDX-License-Identifier: BSD-3-Clause
// A message goes round the ring a few times; every rank adds its number. The sum tells whether all of them took part.
#include <mpi.h>
#include <stdio.h>

enum { kRounds = 1000 };

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  int right = (rank + 1) % size, left = (rank + size - 1) % size;
  long sum = 0;
  double start = MPI_Wtime();
  for (int round = 0; round < kRounds; round++) {
    // Rank 0 sends first and receives last; all others wait for the message and pass it on. With one rank there is nobody to
    // pass to.
    if (size == 1) break;
    if (rank > 0) MPI_Recv(&sum, 1, MPI_LONG, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    sum += rank;
    MPI_Send(&sum, 1, MPI_LONG, right, 0, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(&sum, 1, MPI_LONG, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  double seconds = MPI_Wtime() - start;

  long expected = (long)kRounds * size * (size - 1) / 2;
  if (rank == 0)
    printf("%d rounds of %d ranks: the sum is %ld (%ld expected), %.2f us a hop\n", kRounds, size, sum, expected,
           seconds / kRounds / size * 1e6);
  MPI_Finalize();
  return rank == 0 && sum != expected;
}
