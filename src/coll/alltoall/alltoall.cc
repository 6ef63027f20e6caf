// SPDX-License-Identifier: BSD-3-Clause
#include "coll/alltoall/alltoall.h"

#include "coll/drive.h"

namespace starling::coll {

namespace {

bool two_buffers(const Ctx&, const AlltoallArgs& a) { return !a.send.in_place(); }
bool equal_blocks(const Ctx&, const AlltoallArgs& a) { return !a.send.in_place() && a.recv.uniform(); }
bool equal_on_one_host(const Ctx& c, const AlltoallArgs& a) { return equal_blocks(c, a) && may_have_board(c); }
bool in_place(const Ctx&, const AlltoallArgs& a) { return a.send.in_place(); }
bool fits_board(const Ctx& c, const AlltoallArgs& a) {
  return a.recv.uniform() && may_have_board(c) && c.size * a.recv.bytes(0) <= kSlotRoom;
}

// With MPI_IN_PLACE only the last one is left.
constexpr Algorithm<AlltoallArgs> kIntra[] = {
    {"scattered", alltoall_scattered, two_buffers, alltoall_pairwise_traffic},
    {"shared", alltoall_shared, fits_board, nullptr, kInCallOrder},
    {"direct", alltoall_direct, equal_on_one_host, nullptr, kInCallOrder},
    {"brucks", alltoall_brucks, equal_blocks, alltoall_brucks_traffic},
    {"pairwise", alltoall_pairwise, two_buffers, alltoall_pairwise_traffic},
    {"pairwise_sendrecv_replace", alltoall_pairwise_sendrecv_replace, in_place, alltoall_pairwise_traffic},
};
constexpr Algorithm<AlltoallArgs> kInter[] = {{"pairwise_exchange", alltoall_inter_pairwise_exchange}};

// Of one block.
Count bytes(const Ctx&, const AlltoallArgs& a) { return a.recv.bytes(0); }

}  // namespace

constexpr Collective<AlltoallArgs> kAlltoall{
    Id::kAlltoall, kIntra, kInter, bytes, nonblocking_ops("MPI_Ialltoall"), persistent_ops("MPI_Alltoall_init")};
// What one process knows of the blocks of the others is not the same everywhere.
constexpr Collective<AlltoallArgs> kAlltoallv{Id::kAlltoallv,
                                              kIntra,
                                              kInter,
                                              no_bytes<AlltoallArgs>,
                                              nonblocking_ops("MPI_Ialltoallv"),
                                              persistent_ops("MPI_Alltoallv_init")};
constexpr Collective<AlltoallArgs> kAlltoallw{Id::kAlltoallw,
                                              kIntra,
                                              kInter,
                                              no_bytes<AlltoallArgs>,
                                              nonblocking_ops("MPI_Ialltoallw"),
                                              persistent_ops("MPI_Alltoallw_init")};

}  // namespace starling::coll
