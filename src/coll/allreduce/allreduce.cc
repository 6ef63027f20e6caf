// SPDX-License-Identifier: BSD-3-Clause
#include "coll/allreduce/allreduce.h"

#include "coll/drive.h"
#include "coll/nodes.h"

namespace starling::coll {

namespace {

constexpr Algorithm<ReduceArgs> kIntra[] = {
    {"reduce_scatter_allgather", allreduce_reduce_scatter_allgather, nullptr, allreduce_reduce_scatter_allgather_traffic,
     kCanonical},
    {"shared", allreduce_shared, vector_fits_board, nullptr, kInCallOrder | kCanonical},
    {"direct", allreduce_direct, vector_is_direct, nullptr, kInCallOrder},
    {"recursive_doubling", allreduce_recursive_doubling, nullptr, allreduce_recursive_doubling_traffic, kCanonical},
    {"recursive_multiplying", allreduce_recursive_multiplying, nullptr, allreduce_recursive_multiplying_traffic},
    {"reduce_bcast", allreduce_reduce_bcast, nullptr, allreduce_reduce_bcast_traffic},
    {"tree", allreduce_tree, nullptr, allreduce_tree_traffic},
    {"multi_leader", allreduce_multi_leader, reducible_by_nodes, allreduce_multi_leader_traffic},
    {"ring", allreduce_ring, commutes, allreduce_ring_traffic},
};
constexpr Algorithm<ReduceArgs> kInter[] = {{"reduce_exchange_bcast", allreduce_inter_reduce_exchange_bcast}};

}  // namespace

constexpr Collective<ReduceArgs> kAllreduce{
    Id::kAllreduce, kIntra, kInter, bytes_reduced, nonblocking_ops("MPI_Iallreduce"), persistent_ops("MPI_Allreduce_init")};

}  // namespace starling::coll
