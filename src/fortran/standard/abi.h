// SPDX-License-Identifier: BSD-3-Clause
// What is particular about Fortran in the standard ABI: nothing, as C has no names for Fortran's variables there.
#pragma once

#include <mpi.h>

namespace starling::fortran {

inline constexpr int kKeyvalOffset = 0;

inline void publish_ignored(int*, int*, MPI_Status*, MPI_Status*) {}

inline int type_struct(int count, int* lengths, MPI_Aint* places, MPI_Datatype* types, MPI_Datatype* made) {
  return PMPI_Type_create_struct(count, lengths, places, types, made);
}

}  // namespace starling::fortran
