// SPDX-License-Identifier: BSD-3-Clause
// Scattered: everybody talks to a batch of others at a time, in the order of their distance, so that nobody is swamped and
// batches of different processes meet. Cost: (p - 1) alpha + n (p - 1) beta for blocks of n bytes, with up to kBatch messages
// under way.
#include "coll/alltoall/alltoall.h"

namespace starling::coll {

Task alltoall_scattered(Ctx c, AlltoallArgs a) {
  c.copy(a.send[c.rank], a.recv[c.rank]);
  Messages batch(c, 2 * kBatch);
  for (int distance = 1; distance < c.size; ++distance) {
    const int to = (c.rank + distance) % c.size, from = (c.rank - distance + c.size) % c.size;
    batch.recv(a.recv[from], from);
    batch.send(a.send[to], to);
    if (distance % kBatch == 0) co_await batch.all();
  }
  co_await batch.all();
}

}  // namespace starling::coll
