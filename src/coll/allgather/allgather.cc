// SPDX-License-Identifier: BSD-3-Clause
#include "coll/allgather/allgather.h"

#include "coll/drive.h"

namespace starling::coll {

namespace {

bool power_of_two(const Ctx& c, const AllgatherArgs& a) { return a.recv.uniform() && (c.size & (c.size - 1)) == 0; }
bool fits_board(const Ctx& c, const AllgatherArgs& a) {
  for (int i = 0; i < (a.recv.uniform() ? 1 : c.size); ++i)
    if (a.recv.bytes(i) > kSlotRoom) return false;
  return may_have_board(c);
}
bool on_one_host(const Ctx& c, const AllgatherArgs&) { return may_have_board(c); }
bool even(const Ctx& c, const AllgatherArgs&) { return c.size % 2 == 0; }

constexpr Algorithm<AllgatherArgs> kIntra[] = {
    {"recursive_doubling", allgather_recursive_doubling, power_of_two, allgather_recursive_doubling_traffic},
    {"shared", allgather_shared, fits_board, nullptr, kInCallOrder},
    {"direct", allgather_direct, on_one_host, nullptr, kInCallOrder},
    {"brucks", allgather_brucks, nullptr, allgather_brucks_traffic},
    {"neighbor_exchange", allgather_neighbor_exchange, even, allgather_neighbor_exchange_traffic},
    {"spread", allgather_spread, nullptr, allgather_spread_traffic},
    {"ring", allgather_ring, nullptr, allgather_ring_traffic},
};
constexpr Algorithm<AllgatherArgs> kInter[] = {{"remote_gather_local_bcast", allgather_inter_remote_gather_local_bcast}};

// Of the whole result.
Count bytes(const Ctx& c, const AllgatherArgs& a) {
  if (a.recv.uniform()) return c.size * a.recv.bytes(0);
  Count sum = 0;
  for (int i = 0; i < c.size; ++i) sum += a.recv.bytes(i);
  return sum;
}

}  // namespace

constexpr Collective<AllgatherArgs> kAllgather{
    Id::kAllgather, kIntra, kInter, bytes, nonblocking_ops("MPI_Iallgather"), persistent_ops("MPI_Allgather_init")};
constexpr Collective<AllgatherArgs> kAllgatherv{
    Id::kAllgatherv, kIntra, kInter, bytes, nonblocking_ops("MPI_Iallgatherv"), persistent_ops("MPI_Allgatherv_init")};

}  // namespace starling::coll
