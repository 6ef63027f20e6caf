// SPDX-License-Identifier: BSD-3-Clause
#include "coll/bcast/bcast.h"

#include "coll/drive.h"
#include "coll/nodes.h"

namespace starling::coll {

namespace {

bool fits_board(const Ctx& c, const BcastArgs& a) { return may_have_board(c) && a.data.bytes() <= kSlotRoom; }

bool on_one_host(const Ctx& c, const BcastArgs&) { return may_have_board(c); }

constexpr Algorithm<BcastArgs> kIntra[] = {
    {"scatter_ring_allgather", bcast_scatter_ring_allgather, nullptr, bcast_scatter_ring_allgather_traffic},
    {"shared", bcast_shared, fits_board, nullptr, kInCallOrder},
    {"direct", bcast_direct, on_one_host, nullptr, kInCallOrder},
    {"scatter_recursive_doubling_allgather", bcast_scatter_recursive_doubling_allgather, nullptr,
     bcast_scatter_recursive_doubling_allgather_traffic},
    {"pipelined_chain", bcast_pipelined_chain, nullptr, bcast_pipelined_traffic},
    {"pipelined_tree", bcast_pipelined_tree, nullptr, bcast_pipelined_traffic},
    {"multi_endpoint_flat", bcast_multi_endpoint_flat, several_nodes, bcast_multi_endpoint_traffic},
    {"multi_endpoint_knomial", bcast_multi_endpoint_knomial, several_nodes, bcast_multi_endpoint_traffic},
    {"multi_endpoint_hybrid", bcast_multi_endpoint_hybrid, several_nodes, bcast_multi_endpoint_traffic},
    {"knomial", bcast_knomial, nullptr, bcast_knomial_traffic},
    {"binomial", bcast_binomial, nullptr, bcast_binomial_traffic},
};
constexpr Algorithm<BcastArgs> kInter[] = {{"remote_send_local_bcast", bcast_inter_remote_send_local_bcast}};

Count bytes(const Ctx&, const BcastArgs& a) { return a.data.bytes(); }

}  // namespace

constexpr Collective<BcastArgs> kBcast{
    Id::kBcast, kIntra, kInter, bytes, nonblocking_ops("MPI_Ibcast"), persistent_ops("MPI_Bcast_init")};

}  // namespace starling::coll
