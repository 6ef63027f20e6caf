// SPDX-License-Identifier: BSD-3-Clause
#include "coll/neighbor/neighbor.h"

#include "coll/drive.h"

namespace starling::coll {

namespace {

constexpr Algorithm<AllgatherArgs> kAllgatherIntra[] = {{"linear", neighbor_allgather_linear},
                                                        {"combining", neighbor_allgather_combining}};
constexpr Algorithm<AlltoallArgs> kAlltoallIntra[] = {{"linear", neighbor_alltoall_linear},
                                                      {"combining", neighbor_alltoall_combining}};

constexpr Collective<AllgatherArgs> allgather(Id id, const char* nonblocking, const char* persistent) {
  return {id, kAllgatherIntra, {}, no_bytes<AllgatherArgs>, nonblocking_ops(nonblocking), persistent_ops(persistent)};
}
constexpr Collective<AlltoallArgs> alltoall(Id id, const char* nonblocking, const char* persistent) {
  return {id, kAlltoallIntra, {}, no_bytes<AlltoallArgs>, nonblocking_ops(nonblocking), persistent_ops(persistent)};
}

}  // namespace

// Topologies belong to intracommunicators.
constexpr Collective<AllgatherArgs> kNeighborAllgather =
    allgather(Id::kNeighborAllgather, "MPI_Ineighbor_allgather", "MPI_Neighbor_allgather_init");
constexpr Collective<AllgatherArgs> kNeighborAllgatherv =
    allgather(Id::kNeighborAllgatherv, "MPI_Ineighbor_allgatherv", "MPI_Neighbor_allgatherv_init");
constexpr Collective<AlltoallArgs> kNeighborAlltoall =
    alltoall(Id::kNeighborAlltoall, "MPI_Ineighbor_alltoall", "MPI_Neighbor_alltoall_init");
constexpr Collective<AlltoallArgs> kNeighborAlltoallv =
    alltoall(Id::kNeighborAlltoallv, "MPI_Ineighbor_alltoallv", "MPI_Neighbor_alltoallv_init");
constexpr Collective<AlltoallArgs> kNeighborAlltoallw =
    alltoall(Id::kNeighborAlltoallw, "MPI_Ineighbor_alltoallw", "MPI_Neighbor_alltoallw_init");

}  // namespace starling::coll
