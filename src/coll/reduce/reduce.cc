// SPDX-License-Identifier: BSD-3-Clause
#include "coll/reduce/reduce.h"

#include "coll/drive.h"
#include "coll/nodes.h"

namespace starling::coll {

namespace {

constexpr Algorithm<ReduceArgs> kIntra[] = {
    {"reduce_scatter_gather", reduce_reduce_scatter_gather, nullptr, reduce_reduce_scatter_gather_traffic, kCanonical},
    {"shared", reduce_shared, vector_fits_board, nullptr, kInCallOrder | kCanonical},
    {"direct", reduce_direct, vector_is_direct, nullptr, kInCallOrder},
    {"folded_binomial", reduce_folded_binomial, nullptr, reduce_folded_binomial_traffic, kCanonical},
    {"pipelined", reduce_pipelined, nullptr, reduce_pipelined_traffic},
    {"two_level", reduce_two_level, reducible_by_nodes, reduce_two_level_traffic},
    {"knomial", reduce_knomial, nullptr, reduce_knomial_traffic},
    {"binomial", reduce_binomial, nullptr, reduce_binomial_traffic},
};
constexpr Algorithm<ReduceArgs> kInter[] = {{"local_reduce_remote_send", reduce_inter_local_reduce_remote_send}};

}  // namespace

constexpr Collective<ReduceArgs> kReduce{
    Id::kReduce, kIntra, kInter, bytes_reduced, nonblocking_ops("MPI_Ireduce"), persistent_ops("MPI_Reduce_init")};

}  // namespace starling::coll
