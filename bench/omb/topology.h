// SPDX-License-Identifier: BSD-3-Clause
// The communicator of the neighborhood collectives (-N).
#pragma once

#define MPICH_SKIP_MPICXX 1
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <string>
#include <vector>

namespace omb {

struct Run;

struct Topology {
  MPI_Comm comm = MPI_COMM_NULL;
  std::vector<int> sources, destinations;  // ranks; may repeat
  ~Topology() {
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }
};

// Makes run.topology and prints its lines. All ranks call it.
void make_topology(Run& run);

}  // namespace omb
