// SPDX-License-Identifier: BSD-3-Clause
#include "coll/barrier/barrier.h"

#include "coll/drive.h"
#include "coll/nodes.h"

namespace starling::coll {

namespace {

[[gnu::hot]] bool on_board(const Ctx& c, const BarrierArgs&) { return may_have_board(c); }

constexpr Algorithm<BarrierArgs> kIntra[] = {
    {"linear", barrier_linear, nullptr, barrier_linear_traffic},
    {"shared", barrier_shared, on_board, nullptr, kInCallOrder},
    {"tree", barrier_tree, nullptr, barrier_tree_traffic},
    {"recexch", barrier_recursive_exchange, nullptr, barrier_recursive_exchange_traffic},
    {"two_level", barrier_two_level, several_nodes, barrier_two_level_traffic},
    {"k_dissemination", barrier_dissemination, nullptr, barrier_dissemination_traffic},
};
constexpr Algorithm<BarrierArgs> kInter[] = {{"bcast", barrier_inter_bcast}};

}  // namespace

constexpr Collective<BarrierArgs> kBarrier{
    Id::kBarrier, kIntra, kInter, no_bytes<BarrierArgs>, nonblocking_ops("MPI_Ibarrier"), persistent_ops("MPI_Barrier_init")};

}  // namespace starling::coll
