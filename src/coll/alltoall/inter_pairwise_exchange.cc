// SPDX-License-Identifier: BSD-3-Clause
// Intercommunicators: as many rounds as the larger side has processes; in round k rank i sends to the remote rank i + k and
// receives from i - k, where there is such a rank. Cost: max(p, q) (alpha + n beta) for blocks of n bytes.
#include <algorithm>

#include "coll/alltoall/alltoall.h"

namespace starling::coll {

Task alltoall_inter_pairwise_exchange(Ctx c, AlltoallArgs a) {
  const int rounds = std::max(c.size, c.remote_size);
  Messages pair(c, 2);
  for (int k = 0; k < rounds; ++k) {
    const int to = (c.rank + k) % rounds, from = (c.rank - k + rounds) % rounds;
    if (from < c.remote_size) pair.recv(a.recv[from], from);
    if (to < c.remote_size) pair.send(a.send[to], to);
    co_await pair.all();
  }
}

}  // namespace starling::coll
