// SPDX-License-Identifier: BSD-3-Clause
#include "coll/gather/gather.h"

#include "coll/drive.h"

namespace starling::coll {

namespace {

bool equal(const Ctx&, const GatherArgs& a) { return a.equal; }
bool fits_board(const Ctx& c, const GatherArgs& a) {
  return a.equal && may_have_board(c) && (c.rank == a.root ? a.recv.bytes(0) : a.send.bytes()) <= kSlotRoom;
}

constexpr Algorithm<GatherArgs> kIntra[] = {
    {"binomial", gather_binomial, equal},
    {"shared", gather_shared, fits_board, true},
    {"linear", gather_linear},
};
constexpr Algorithm<GatherArgs> kInter[] = {{"linear", gather_inter_linear}};

// Of one block.
Count bytes(const Ctx& c, const GatherArgs& a) { return c.rank == a.root ? a.recv.bytes(0) : a.send.bytes(); }

}  // namespace

constexpr Collective<GatherArgs> kGather{
    Id::kGather, kIntra, kInter, bytes, nonblocking_ops("MPI_Igather"), persistent_ops("MPI_Gather_init")};
constexpr Collective<GatherArgs> kGatherv{
    Id::kGatherv, kIntra, kInter, no_bytes<GatherArgs>, nonblocking_ops("MPI_Igatherv"), persistent_ops("MPI_Gatherv_init")};

}  // namespace starling::coll
