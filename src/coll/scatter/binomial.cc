// SPDX-License-Identifier: BSD-3-Clause
// Binomial tree, from the root: each process gets the packed blocks of its subtree and passes on the halves. For short blocks
// of equal size. Cost: ceil(log2 p) alpha + n (p - 1) beta for blocks of n bytes.
#include <algorithm>

#include "coll/scatter/scatter.h"

namespace starling::coll {

Task scatter_binomial(Ctx c, ScatterArgs a) {
  const int relative = (c.rank - a.root + c.size) % c.size;
  const bool root = relative == 0;
  const Count block = root ? a.send.bytes(0) : a.recv.bytes();
  int top = 1;  // this process gets the blocks of relative ranks below relative + top
  while (top < c.size && !(relative & top)) top *= 2;
  if (top == 1 && !root) {
    co_await c.recv(a.recv, (c.rank - 1 + c.size) % c.size);
    co_return;
  }
  const int blocks_here = std::min(top, c.size - relative);
  Scratch packed(c, block * blocks_here);
  if (root) {
    for (int i = 1; i < c.size; ++i) c.copy(a.send[(c.rank + i) % c.size], packed.raw(i * block, block));
    if (!a.recv.in_place()) c.copy(a.send[c.rank], a.recv);
  } else {
    co_await c.recv(packed.raw(0, blocks_here * block), (c.rank - top + c.size) % c.size);
    c.copy(packed.raw(0, block), a.recv);
  }
  for (int distance = top / 2; distance > 0; distance /= 2) {
    if (distance >= blocks_here) continue;
    const int n = std::min(distance, c.size - relative - distance);
    co_await c.send(packed.raw(distance * block, n * block), (c.rank + distance) % c.size);
  }
}

}  // namespace starling::coll
