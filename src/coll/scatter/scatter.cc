// SPDX-License-Identifier: BSD-3-Clause
#include "coll/scatter/scatter.h"

#include "coll/drive.h"
#include "coll/nodes.h"

namespace starling::coll {

namespace {

bool equal(const Ctx&, const ScatterArgs& a) { return a.equal; }
bool fits_board(const Ctx& c, const ScatterArgs& a) {
  return a.equal && may_have_board(c) && (c.rank == a.root ? a.send.bytes(0) : a.recv.bytes()) <= kSlotRoom;
}

bool equal_on_one_host(const Ctx& c, const ScatterArgs& a) { return a.equal && may_have_board(c); }
bool equal_on_nodes(const Ctx& c, const ScatterArgs& a) { return a.equal && several_nodes(c, a); }

constexpr Algorithm<ScatterArgs> kIntra[] = {
    {"binomial", scatter_binomial, equal, scatter_binomial_traffic},
    {"shared", scatter_shared, fits_board, nullptr, kInCallOrder},
    {"direct", scatter_direct, equal_on_one_host, nullptr, kInCallOrder},
    {"knomial", scatter_knomial, equal, scatter_knomial_traffic},
    {"two_level", scatter_two_level, equal_on_nodes, scatter_two_level_traffic},
    {"linear", scatter_linear, nullptr, scatter_linear_traffic},
};
constexpr Algorithm<ScatterArgs> kInter[] = {{"linear", scatter_inter_linear}};

// Of one block.
Count bytes(const Ctx& c, const ScatterArgs& a) { return c.rank == a.root ? a.send.bytes(0) : a.recv.bytes(); }

}  // namespace

constexpr Collective<ScatterArgs> kScatter{
    Id::kScatter, kIntra, kInter, bytes, nonblocking_ops("MPI_Iscatter"), persistent_ops("MPI_Scatter_init")};
constexpr Collective<ScatterArgs> kScatterv{Id::kScatterv,
                                            kIntra,
                                            kInter,
                                            no_bytes<ScatterArgs>,
                                            nonblocking_ops("MPI_Iscatterv"),
                                            persistent_ops("MPI_Scatterv_init")};

}  // namespace starling::coll
