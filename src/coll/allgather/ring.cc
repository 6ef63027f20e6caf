// SPDX-License-Identifier: BSD-3-Clause
// Ring: every block travels once round, p - 1 steps between neighbours. Cost: (p - 1) alpha + n (p - 1) / p beta, n the size of
// the result; no copies, and only neighbours talk.
#include "coll/allgather/allgather.h"

namespace starling::coll {

Task allgather_ring(Ctx c, AllgatherArgs a) {
  if (!a.send.in_place()) c.copy(a.send, a.recv[c.rank]);
  const int right = (c.rank + 1) % c.size, left = (c.rank - 1 + c.size) % c.size;
  for (int step = 0; step < c.size - 1; ++step) {
    const int out = (c.rank - step + c.size) % c.size, in = (left - step + c.size) % c.size;
    co_await c.sendrecv(a.recv[out], right, a.recv[in], left);
  }
}

Traffic allgather_ring_traffic(const Load& load) {
  const Count p = load.ranks;
  return {p * (p - 1), (p - 1) * load.bytes};
}

}  // namespace starling::coll
