// SPDX-License-Identifier: BSD-3-Clause
// MPI_SIZEOF of programs that MPICH's module mpi was compiled into: in its library they are procedures of a module, one for
// each type, scalar and array.
#include "glue.h"

using namespace starling::fortran;

#define STARLING_SIZEOF(type, bytes)                                                   \
  void __mpi_sizeofs_MOD_mpi_sizeof_##type(const void*, Fint* size, Fint* ierror) {    \
    *size = bytes;                                                                     \
    *ierror = MPI_SUCCESS;                                                             \
  }                                                                                    \
  void __mpi_sizeofs_MOD_mpi_sizeof_##type##v(const void*, Fint* size, Fint* ierror) { \
    *size = bytes;                                                                     \
    *ierror = MPI_SUCCESS;                                                             \
  }

extern "C" {
STARLING_SIZEOF(ch, 1)
STARLING_SIZEOF(l, 4)
STARLING_SIZEOF(i1, 1)
STARLING_SIZEOF(i2, 2)
STARLING_SIZEOF(i, 4)
STARLING_SIZEOF(i8, 8)
STARLING_SIZEOF(r, 4)
STARLING_SIZEOF(d, 8)
STARLING_SIZEOF(cx, 8)
}
