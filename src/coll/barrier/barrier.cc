// SPDX-License-Identifier: BSD-3-Clause
#include "coll/barrier/barrier.h"

#include "coll/drive.h"

namespace starling::coll {

namespace {

bool on_board(const Ctx& c, const BarrierArgs&) { return may_have_board(c); }

constexpr Algorithm<BarrierArgs> kIntra[] = {
    {"linear", barrier_linear},
    {"shared", barrier_shared, on_board, true},
    {"tree", barrier_tree},
    {"k_dissemination", barrier_dissemination},
};
constexpr Algorithm<BarrierArgs> kInter[] = {{"bcast", barrier_inter_bcast}};

}  // namespace

constexpr Collective<BarrierArgs> kBarrier{
    Id::kBarrier, kIntra, kInter, no_bytes<BarrierArgs>, nonblocking_ops("MPI_Ibarrier"), persistent_ops("MPI_Barrier_init")};

}  // namespace starling::coll
