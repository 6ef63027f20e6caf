// SPDX-License-Identifier: BSD-3-Clause
// Bruck's algorithm: everybody holds the blocks of the ranks from its own on, and doubles their number by those of the process
// that starts where its own end. Works on packed blocks, for any number of processes. Cost: ceil(log2 p) alpha + n (p - 1) / p
// beta, n the size of the result. Bruck, Ho, Kipnis, Upfal, Weathersby, IEEE TPDS 8(11), 1997.
#include <algorithm>

#include "coll/allgather/allgather.h"

namespace starling::coll {

Task allgather_brucks(Ctx c, AllgatherArgs a) {
  // Block i from this rank on lies at offset[i].
  ScratchArray<Count> offset(c, c.size + 1);
  offset[0] = 0;
  for (int i = 0; i < c.size; ++i) offset[i + 1] = offset[i] + a.recv.bytes((c.rank + i) % c.size);
  Scratch packed(c, offset[c.size]);
  c.copy(a.send.in_place() ? a.recv[c.rank] : a.send, packed.raw(0, offset[1]));
  for (int have = 1; have < c.size; have *= 2) {
    const int n = std::min(have, c.size - have);
    co_await c.sendrecv(packed.raw(0, offset[n]), (c.rank - have + c.size) % c.size,
                        packed.raw(offset[have], offset[have + n] - offset[have]), (c.rank + have) % c.size);
  }
  if (!a.send.in_place()) c.copy(a.send, a.recv[c.rank]);
  for (int i = 1; i < c.size; ++i) c.copy(packed.raw(offset[i], offset[i + 1] - offset[i]), a.recv[(c.rank + i) % c.size]);
}

Traffic allgather_brucks_traffic(const Load& load) {
  Count rounds = 0;
  for (std::int64_t have = 1; have < load.ranks; have *= 2) ++rounds;
  return {load.ranks * rounds, (load.ranks - 1) * load.bytes};
}

}  // namespace starling::coll
