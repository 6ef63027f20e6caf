// SPDX-License-Identifier: BSD-3-Clause
// What is particular about Fortran in the MPICH ABI.
#pragma once

#include <mpi.h>

namespace starling::fortran {

// A predefined attribute has another key in mpif.h than in mpi.h: the one after it.
inline constexpr int kKeyvalOffset = 1;

inline void publish_ignored(int* status, int* statuses, MPI_Status* f08_status, MPI_Status* f08_statuses) {
  MPI_F_STATUS_IGNORE = status;
  MPI_F_STATUSES_IGNORE = statuses;
  MPI_F08_STATUS_IGNORE = reinterpret_cast<MPI_F08_status*>(f08_status);
  MPI_F08_STATUSES_IGNORE = reinterpret_cast<MPI_F08_status*>(f08_statuses);
}

// MPI-1 marked the bounds of a structure by members; this ABI has them still.
inline int type_struct(int count, int* lengths, MPI_Aint* places, MPI_Datatype* types, MPI_Datatype* made) {
  return PMPI_Type_struct(count, lengths, places, types, made);
}

}  // namespace starling::fortran
