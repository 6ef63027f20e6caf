// SPDX-License-Identifier: BSD-3-Clause
#include "coll/scatter/scatter.h"

#include "coll/drive.h"

namespace starling::coll {

namespace {

bool equal(const Ctx&, const ScatterArgs& a) { return a.equal; }
bool fits_board(const Ctx& c, const ScatterArgs& a) {
  return a.equal && may_have_board(c) && (c.rank == a.root ? a.send.bytes(0) : a.recv.bytes()) <= kSlotRoom;
}

constexpr Algorithm<ScatterArgs> kIntra[] = {
    {"binomial", scatter_binomial, equal},
    {"shared", scatter_shared, fits_board, true},
    {"linear", scatter_linear},
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
