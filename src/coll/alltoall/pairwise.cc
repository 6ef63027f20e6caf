// SPDX-License-Identifier: BSD-3-Clause
// Pairwise exchange: p - 1 steps, in each of which everybody sends one block and receives one. For long blocks.
// Cost: (p - 1) (alpha + n beta) for blocks of n bytes.
#include "coll/alltoall/alltoall.h"

namespace starling::coll {

Task alltoall_pairwise(Ctx c, AlltoallArgs a) {
  c.copy(a.send[c.rank], a.recv[c.rank]);
  for (int distance = 1; distance < c.size; ++distance) {
    const int to = (c.rank + distance) % c.size, from = (c.rank - distance + c.size) % c.size;
    co_await c.sendrecv(a.send[to], to, a.recv[from], from);
  }
}

Traffic alltoall_pairwise_traffic(const Load& load) {
  const Count p = load.ranks;
  return {p * (p - 1), p * (p - 1) * load.bytes};
}

}  // namespace starling::coll
