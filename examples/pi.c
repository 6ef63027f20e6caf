// SPDX-License-Identifier: BSD-3-Clause
// Pi by numerical integration of 4 / (1 + x^2) over [0, 1]: a broadcast for the input, a reduction for the result.
#include <math.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  int rank, size;
  long intervals = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  if (rank == 0) intervals = 10000000;  // only rank 0 would read it, from the user or a file
  MPI_Bcast(&intervals, 1, MPI_LONG, 0, MPI_COMM_WORLD);

  // Each rank takes every size-th interval and evaluates the function in its middle.
  double width = 1.0 / (double)intervals, mine = 0, pi = 0;
  for (long i = rank; i < intervals; i += size) {
    double x = width * ((double)i + 0.5);
    mine += 4.0 / (1.0 + x * x);
  }
  mine *= width;
  MPI_Reduce(&mine, &pi, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);

  double error = fabs(pi - acos(-1.0));
  if (rank == 0) printf("pi is about %.15f, wrong by %.1e\n", pi, error);
  MPI_Finalize();
  return rank == 0 && error > 1e-9;
}
