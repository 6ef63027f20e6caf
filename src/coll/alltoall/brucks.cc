// SPDX-License-Identifier: BSD-3-Clause
// Bruck's algorithm: block i of a process has i ranks to go. In round k all blocks whose distance has bit k set travel 2^k
// ranks at once. For short blocks of equal size. Cost: ceil(log2 p) (alpha + n p / 2 beta) for blocks of n bytes. Bruck, Ho,
// Kipnis, Upfal, Weathersby, IEEE TPDS 8(11), 1997.
#include "coll/alltoall/alltoall.h"

namespace starling::coll {

namespace {

// Copies the blocks with that bit in their number to the front of `packed`, or back. Returns how many.
int gather_bit(const Ctx& c, const Scratch& blocks, Count block, int bit, const Scratch& packed) {
  int n = 0;
  for (int i = bit; i < c.size; ++i)
    if (i & bit) c.copy(blocks.raw(i * block, block), packed.raw(n++ * block, block));
  return n;
}
void scatter_bit(const Ctx& c, const Scratch& packed, Count block, int bit, const Scratch& blocks) {
  int n = 0;
  for (int i = bit; i < c.size; ++i)
    if (i & bit) c.copy(packed.raw(n++ * block, block), blocks.raw(i * block, block));
}

}  // namespace

Task alltoall_brucks(Ctx c, AlltoallArgs a) {
  const Count block = a.recv.bytes(0);
  Scratch blocks(c, block * c.size), out(c, block * ((c.size + 1) / 2)), in(c, block * ((c.size + 1) / 2));
  for (int i = 0; i < c.size; ++i) c.copy(a.send[(c.rank + i) % c.size], blocks.raw(i * block, block));
  for (int bit = 1; bit < c.size; bit *= 2) {
    const int n = gather_bit(c, blocks, block, bit, out);
    co_await c.sendrecv(out.raw(0, n * block), (c.rank + bit) % c.size, in.raw(0, n * block), (c.rank - bit + c.size) % c.size);
    scatter_bit(c, in, block, bit, blocks);
  }
  // What has travelled i ranks came from i ranks before.
  for (int i = 0; i < c.size; ++i) c.copy(blocks.raw(i * block, block), a.recv[(c.rank - i + c.size) % c.size]);
}

Traffic alltoall_brucks_traffic(const Load& load) {
  Traffic traffic;
  for (int bit = 1; bit < load.ranks; bit *= 2) {
    traffic.messages += load.ranks;
    for (int i = bit; i < load.ranks; ++i)
      if (i & bit) traffic.bytes += load.ranks * load.bytes;
  }
  return traffic;
}

}  // namespace starling::coll
