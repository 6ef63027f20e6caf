// SPDX-License-Identifier: BSD-3-Clause
// The variables that programs and this library share, and the start of the library.
#include "glue.h"

#include "abi.h"

using namespace starling::fortran;

extern "C" {
// Aligned as gfortran aligns large common blocks, with which the linker joins them.
alignas(32) Mpipriv1 mpipriv1_;
alignas(32) Mpipriv2 mpipriv2_;
alignas(32) Mpiprivc mpiprivc_;
alignas(32) Fint mpifcmb5_;
alignas(32) Fint mpifcmb9_;
alignas(32) Fint mpifcmba_;
alignas(32) MPI_Status MPIR_F08_MPI_STATUS_IGNORE_OBJ, MPIR_F08_MPI_STATUSES_IGNORE_OBJ;
}

namespace starling::fortran {
namespace {

// C programs that pass Fortran's statuses on compare with these addresses.
__attribute__((constructor)) void publish() {
  publish_ignored(mpipriv1_.status_ignore, mpipriv2_.statuses_ignore, &MPIR_F08_MPI_STATUS_IGNORE_OBJ,
                  &MPIR_F08_MPI_STATUSES_IGNORE_OBJ);
}

}  // namespace

long long peers(MPI_Comm comm, Peers which, const void* buffer) {
  if (Type::kSame || buffer == MPI_IN_PLACE) return 0;
  int size = 0, inter = 0, in = 0, out = 0, weighted = 0;
  if (which == kRanks) {
    if (PMPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS) return 0;
    if (inter)
      PMPI_Comm_remote_size(comm, &size);
    else
      PMPI_Comm_size(comm, &size);
    return size;
  }
  int topology = MPI_UNDEFINED, n = 0;
  if (PMPI_Topo_test(comm, &topology) != MPI_SUCCESS) return 0;
  if (topology == MPI_DIST_GRAPH) {
    PMPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    return which == kSources ? in : out;
  }
  if (topology == MPI_CART) {
    PMPI_Cartdim_get(comm, &n);
    return 2LL * n;
  }
  if (topology == MPI_GRAPH) {
    PMPI_Comm_rank(comm, &size);
    PMPI_Graph_neighbors_count(comm, size, &n);
  }
  return n;
}

}  // namespace starling::fortran
