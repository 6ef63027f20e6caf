// SPDX-License-Identifier: BSD-3-Clause
// In place: every pair of processes swaps its blocks, in p rounds of a tournament: ranks i and j meet in round (i + j) mod p.
// Needs room for one packed block. Cost: p (alpha + n beta) for blocks of n bytes.
#include <algorithm>

#include "coll/alltoall/alltoall.h"

namespace starling::coll {

Task alltoall_pairwise_sendrecv_replace(Ctx c, AlltoallArgs a) {
  Count longest = 0;
  for (int i = 0; i < c.size; ++i) longest = std::max(longest, a.recv.bytes(i));
  Scratch packed(c, longest);
  for (int round = 0; round < c.size; ++round) {
    const int partner = (round - c.rank + c.size) % c.size;
    const Data block = a.recv[partner];
    if (partner == c.rank || block.bytes() == 0) continue;
    c.copy(block, packed.raw(0, block.bytes()));
    co_await c.sendrecv(packed.raw(0, block.bytes()), partner, block, partner);
  }
}

}  // namespace starling::coll
