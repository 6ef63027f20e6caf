// SPDX-License-Identifier: BSD-3-Clause
// MPI_Type_get_envelope and MPI_Type_get_contents (MPI 5.0 section 5.1.13), by hand: the small and the large function have
// different parameters, and what comes back contains constants and handles of the user's ABI.
#pragma once

#include "abi/entry/checks.h"

namespace starling::abi {

int type_get_envelope(MPI_Datatype datatype, int* num_integers, int* num_addresses, int* num_datatypes, int* combiner);
int type_get_envelope_c(MPI_Datatype datatype, MPI_Count* num_integers, MPI_Count* num_addresses, MPI_Count* num_large_counts,
                        MPI_Count* num_datatypes, int* combiner);
int type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes, int* integers,
                      MPI_Aint* addresses, MPI_Datatype* datatypes);
int type_get_contents_c(MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses, MPI_Count max_large_counts,
                        MPI_Count max_datatypes, int* integers, MPI_Aint* addresses, MPI_Count* large_counts,
                        MPI_Datatype* datatypes);

}  // namespace starling::abi
