// SPDX-License-Identifier: BSD-3-Clause
#include "coll/gather/gather.h"

#include "coll/drive.h"
#include "coll/nodes.h"

namespace starling::coll {

namespace {

bool equal(const Ctx&, const GatherArgs& a) { return a.equal; }
bool fits_board(const Ctx& c, const GatherArgs& a) {
  return a.equal && may_have_board(c) && (c.rank == a.root ? a.recv.bytes(0) : a.send.bytes()) <= kSlotRoom;
}

bool equal_on_one_host(const Ctx& c, const GatherArgs& a) { return a.equal && may_have_board(c); }
bool equal_on_nodes(const Ctx& c, const GatherArgs& a) { return a.equal && several_nodes(c, a); }

constexpr Algorithm<GatherArgs> kIntra[] = {
    {"binomial", gather_binomial, equal, gather_binomial_traffic},
    {"shared", gather_shared, fits_board, nullptr, kInCallOrder},
    {"direct", gather_direct, equal_on_one_host, nullptr, kInCallOrder},
    {"knomial", gather_knomial, equal, gather_knomial_traffic},
    {"two_level", gather_two_level, equal_on_nodes, gather_two_level_traffic},
    {"linear", gather_linear, nullptr, gather_linear_traffic},
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
