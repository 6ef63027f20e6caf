/* SPDX-License-Identifier: BSD-3-Clause */
/* The program whose instructions budget.py counts for the reduction kernels: one function for each kernel, called once, on
 * kKiB KiB. callgrind collects in the one that it is told of. */
#include <mpi.h>

enum { kKiB = 256, kBytes = kKiB * 1024 };

static _Alignas(64) char in[kBytes], inout[kBytes];

__attribute__((noinline)) void measured_sum_double(void) { MPI_Reduce_local(in, inout, kBytes / 8, MPI_DOUBLE, MPI_SUM); }
__attribute__((noinline)) void measured_min_int8(void) { MPI_Reduce_local(in, inout, kBytes, MPI_INT8_T, MPI_MIN); }
__attribute__((noinline)) void measured_prod_complex(void) {
  MPI_Reduce_local(in, inout, kBytes / 16, MPI_C_DOUBLE_COMPLEX, MPI_PROD);
}
__attribute__((noinline)) void measured_minloc_double(void) {
  MPI_Reduce_local(in, inout, kBytes / 16, MPI_DOUBLE_INT, MPI_MINLOC);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  measured_sum_double();
  measured_min_int8();
  measured_prod_complex();
  measured_minloc_double();
  MPI_Finalize();
  return 0;
}
