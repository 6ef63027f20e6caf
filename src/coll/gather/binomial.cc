// SPDX-License-Identifier: BSD-3-Clause
// Binomial tree, towards the root: who has the blocks of its subtree passes them on, packed. For short blocks of equal size.
// Cost: ceil(log2 p) alpha + n (p - 1) beta for blocks of n bytes.
#include <algorithm>

#include "coll/gather/gather.h"

namespace starling::coll {

Task gather_binomial(Ctx c, GatherArgs a) {
  const int relative = (c.rank - a.root + c.size) % c.size;
  const bool root = relative == 0;
  const Data mine = root && a.send.in_place() ? a.recv[c.rank] : a.send;
  const Count block = root ? a.recv.bytes(0) : a.send.bytes();
  int top = 1;  // this process gathers the blocks of relative ranks below relative + top
  while (top < c.size && !(relative & top)) top *= 2;
  if (top == 1 && !root) {
    co_await c.send(mine, (c.rank - 1 + c.size) % c.size);
    co_return;
  }
  const int blocks_here = std::min(top, c.size - relative);
  Scratch packed(c, block * blocks_here);
  if (!root) c.copy(mine, packed.raw(0, block));
  for (int distance = 1; distance < blocks_here; distance *= 2) {
    const int n = std::min(distance, c.size - relative - distance);
    co_await c.recv(packed.raw(distance * block, n * block), (c.rank + distance) % c.size);
  }
  if (!root) {
    co_await c.send(packed.raw(0, blocks_here * block), (c.rank - top + c.size) % c.size);
    co_return;
  }
  if (!a.send.in_place()) c.copy(a.send, a.recv[c.rank]);
  for (int i = 1; i < c.size; ++i) c.copy(packed.raw(i * block, block), a.recv[(c.rank + i) % c.size]);
}

}  // namespace starling::coll
