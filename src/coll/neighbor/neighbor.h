// SPDX-License-Identifier: BSD-3-Clause
// Neighbourhood collectives (MPI 5.0 section 8.6): every process talks to its neighbours in the topology of the communicator.
#pragma once

#include "coll/algorithm.h"

namespace starling::coll {

extern const Collective<AllgatherArgs> kNeighborAllgather;
extern const Collective<AllgatherArgs> kNeighborAllgatherv;
extern const Collective<AlltoallArgs> kNeighborAlltoall;
extern const Collective<AlltoallArgs> kNeighborAlltoallv;
extern const Collective<AlltoallArgs> kNeighborAlltoallw;

Task neighbor_allgather_linear(Ctx c, AllgatherArgs a);
Task neighbor_alltoall_linear(Ctx c, AlltoallArgs a);
Task neighbor_allgather_combining(Ctx c, AllgatherArgs a);
Task neighbor_alltoall_combining(Ctx c, AlltoallArgs a);

}  // namespace starling::coll
