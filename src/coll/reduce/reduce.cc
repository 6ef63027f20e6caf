// SPDX-License-Identifier: BSD-3-Clause
#include "coll/reduce/reduce.h"

#include "coll/drive.h"

namespace starling::coll {

namespace {

constexpr Algorithm<ReduceArgs> kIntra[] = {
    {"reduce_scatter_gather", reduce_reduce_scatter_gather},
    {"shared", reduce_shared, vector_fits_board, true},
    {"binomial", reduce_binomial},
};
constexpr Algorithm<ReduceArgs> kInter[] = {{"local_reduce_remote_send", reduce_inter_local_reduce_remote_send}};

}  // namespace

constexpr Collective<ReduceArgs> kReduce{
    Id::kReduce, kIntra, kInter, bytes_reduced, nonblocking_ops("MPI_Ireduce"), persistent_ops("MPI_Reduce_init")};

}  // namespace starling::coll
