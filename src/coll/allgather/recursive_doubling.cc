// SPDX-License-Identifier: BSD-3-Clause
// Recursive doubling: pairs exchange what they have, then pairs of pairs ... in the receive buffer itself. For equal blocks and
// a power of two of processes. Cost: log2 p alpha + n (p - 1) / p beta, n the size of the result.
#include "coll/allgather/allgather.h"

namespace starling::coll {

Task allgather_recursive_doubling(Ctx c, AllgatherArgs a) {
  const Blocks& recv = a.recv;
  const Data result = data(recv.address, recv.count * c.size, *recv.type);
  if (!a.send.in_place()) c.copy(a.send, recv[c.rank]);
  for (int have = 1; have < c.size; have *= 2) {
    const int partner = c.rank ^ have;
    const Count mine = (c.rank & ~(have - 1)) * recv.count, theirs = (partner & ~(have - 1)) * recv.count;
    co_await c.sendrecv(result.part(mine, have * recv.count), partner, result.part(theirs, have * recv.count), partner);
  }
}

Traffic allgather_recursive_doubling_traffic(const Load& load) {
  Count rounds = 0;
  for (std::int64_t have = 1; have < load.ranks; have *= 2) ++rounds;
  return {load.ranks * rounds, (load.ranks - 1) * load.bytes};
}

}  // namespace starling::coll
