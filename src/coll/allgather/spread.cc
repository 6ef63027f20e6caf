// SPDX-License-Identifier: BSD-3-Clause
// Spread: everybody sends its block straight to all others, a batch at a time, in the order of their distance. No block waits
// for another one. Cost: (p - 1) alpha + n (p - 1) / p beta, n the size of the result, with up to kBatch messages under way.
#include "coll/allgather/allgather.h"

namespace starling::coll {

Task allgather_spread(Ctx c, AllgatherArgs a) {
  if (!a.send.in_place()) c.copy(a.send, a.recv[c.rank]);
  Messages batch(c, 2 * kBatch);
  for (int distance = 1; distance < c.size; ++distance) {
    const int to = (c.rank + distance) % c.size, from = (c.rank - distance + c.size) % c.size;
    batch.recv(a.recv[from], from);
    batch.send(a.recv[c.rank], to);
    if (distance % kBatch == 0) co_await batch.all();
  }
  co_await batch.all();
}

Traffic allgather_spread_traffic(const Load& load) {
  const Count p = load.ranks;
  return {p * (p - 1), (p - 1) * load.bytes};
}

}  // namespace starling::coll
