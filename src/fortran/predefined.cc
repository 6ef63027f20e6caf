// SPDX-License-Identifier: BSD-3-Clause
// Procedures that MPI brings for programs to hand over. They keep nothing and call nothing, so both layers of names are one.
#include "procedures.h"

using namespace starling::fortran;

namespace {

template <class Value>
void dup(const Value* in, Value* out, Fint* flag, Fint* ierror) {
  *out = *in;
  *flag = 1;
  *ierror = MPI_SUCCESS;
}

void no_copy(Fint* flag, Fint* ierror) {
  *flag = 0;
  *ierror = MPI_SUCCESS;
}

}  // namespace

#define STARLING_NAMES_BOTH(lower)                  \
  STARLING_ALIAS(mpi_##lower##_, pmpi_##lower##_)   \
  STARLING_ALIAS(mpi_##lower##__, pmpi_##lower##_)  \
  STARLING_ALIAS(mpi_##lower, pmpi_##lower##_)      \
  STARLING_ALIAS(pmpi_##lower##__, pmpi_##lower##_) \
  STARLING_ALIAS(pmpi_##lower, pmpi_##lower##_)

// For attributes: `prefix` is that of a kind of object, or nothing for MPI-1's, which have default integers.
#define STARLING_ATTRIBUTE_FUNCTIONS(prefix, Value)                                                                            \
  void pmpi_##prefix##dup_fn_(Fint*, Fint*, Value*, Value* in, Value* out, Fint* flag, Fint* ierror) {                         \
    dup(in, out, flag, ierror);                                                                                                \
  }                                                                                                                            \
  void pmpi_##prefix##null_copy_fn_(Fint*, Fint*, Value*, Value*, Value*, Fint* flag, Fint* ierror) { no_copy(flag, ierror); } \
  void pmpi_##prefix##null_delete_fn_(Fint*, Fint*, Value*, Value*, Fint* ierror) { *ierror = MPI_SUCCESS; }                   \
  STARLING_NAMES_BOTH(prefix##dup_fn)                                                                                          \
  STARLING_NAMES_BOTH(prefix##null_copy_fn)                                                                                    \
  STARLING_NAMES_BOTH(prefix##null_delete_fn)

extern "C" {

STARLING_ATTRIBUTE_FUNCTIONS(comm_, MPI_Aint)
STARLING_ATTRIBUTE_FUNCTIONS(type_, MPI_Aint)
STARLING_ATTRIBUTE_FUNCTIONS(win_, MPI_Aint)
STARLING_ATTRIBUTE_FUNCTIONS(, Fint)

// Stands for "no conversion needed"; nobody calls it.
void pmpi_conversion_fn_null_(void*, Fint*, Fint*, void*, MPI_Offset*, MPI_Aint*, Fint*) {}
STARLING_NAMES_BOTH(conversion_fn_null)
void pmpi_conversion_fn_null_c_(void*, Fint*, MPI_Count*, void*, MPI_Offset*, MPI_Aint*, Fint*) {}
STARLING_NAMES_BOTH(conversion_fn_null_c)

}  // extern "C"
