// SPDX-License-Identifier: BSD-3-Clause
#include "coll/allreduce/allreduce.h"

#include "coll/drive.h"

namespace starling::coll {

namespace {

constexpr Algorithm<ReduceArgs> kIntra[] = {
    {"reduce_scatter_allgather", allreduce_reduce_scatter_allgather},
    {"recursive_doubling", allreduce_recursive_doubling},
    {"shared", allreduce_shared, vector_fits_board, true},
    {"ring", allreduce_ring, commutes},
};
constexpr Algorithm<ReduceArgs> kInter[] = {{"reduce_exchange_bcast", allreduce_inter_reduce_exchange_bcast}};

}  // namespace

constexpr Collective<ReduceArgs> kAllreduce{
    Id::kAllreduce, kIntra, kInter, bytes_reduced, nonblocking_ops("MPI_Iallreduce"), persistent_ops("MPI_Allreduce_init")};

}  // namespace starling::coll
