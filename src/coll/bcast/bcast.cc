// SPDX-License-Identifier: BSD-3-Clause
#include "coll/bcast/bcast.h"

#include "coll/drive.h"

namespace starling::coll {

namespace {

constexpr Algorithm<BcastArgs> kIntra[] = {
    {"scatter_ring_allgather", bcast_scatter_ring_allgather},
    {"binomial", bcast_binomial},
};
constexpr Algorithm<BcastArgs> kInter[] = {{"remote_send_local_bcast", bcast_inter_remote_send_local_bcast}};

Count bytes(const Ctx&, const BcastArgs& a) { return a.data.bytes(); }

}  // namespace

constexpr Collective<BcastArgs> kBcast{
    Id::kBcast, kIntra, kInter, bytes, nonblocking_ops("MPI_Ibcast"), persistent_ops("MPI_Bcast_init")};

}  // namespace starling::coll
