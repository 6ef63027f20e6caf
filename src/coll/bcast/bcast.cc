// SPDX-License-Identifier: BSD-3-Clause
#include "coll/bcast/bcast.h"

#include "coll/drive.h"

namespace starling::coll {

namespace {

bool fits_board(const Ctx& c, const BcastArgs& a) { return may_have_board(c) && a.data.bytes() <= kSlotRoom; }

constexpr Algorithm<BcastArgs> kIntra[] = {
    {"scatter_ring_allgather", bcast_scatter_ring_allgather},
    {"shared", bcast_shared, fits_board, true},
    {"binomial", bcast_binomial},
};
constexpr Algorithm<BcastArgs> kInter[] = {{"remote_send_local_bcast", bcast_inter_remote_send_local_bcast}};

Count bytes(const Ctx&, const BcastArgs& a) { return a.data.bytes(); }

}  // namespace

constexpr Collective<BcastArgs> kBcast{
    Id::kBcast, kIntra, kInter, bytes, nonblocking_ops("MPI_Ibcast"), persistent_ops("MPI_Bcast_init")};

}  // namespace starling::coll
