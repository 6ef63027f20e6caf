// SPDX-License-Identifier: BSD-3-Clause
// Binomial tree: everybody combines what its children have reduced, and passes it on. An operation without commutativity is
// reduced in the order of ranks to rank 0, which sends the result to the root. Cost: ceil(log2 p) (alpha + n beta + n gamma).
#include "coll/accumulator.h"
#include "coll/reduce/reduce.h"

namespace starling::coll {

Task reduce_binomial(Ctx c, ReduceArgs a) {
  const bool root = c.rank == a.root;
  const void* source = root ? a.source() : a.send;
  void* room = root && !a.in_place() ? a.recv : nullptr;
  const int top = a.op->commutative ? a.root : 0;  // of the tree
  const int relative = (c.rank - top + c.size) % c.size;
  Accumulator result(c, source, room, a.count, *a.type, *a.op);
  int distance = 1;
  for (; distance < c.size && !(relative & distance); distance *= 2) {
    if (relative + distance >= c.size) continue;
    co_await c.recv(result.incoming(), (c.rank + distance) % c.size);
    result.absorb_higher();
  }
  if (relative != 0) co_await c.send(result.current(), (c.rank - distance + c.size) % c.size);
  if (top == a.root) {
    if (root) result.finish(a.recv);
  } else if (c.rank == top) {
    co_await c.send(result.current(), a.root);
  } else if (root) {
    co_await c.recv(data(a.recv, a.count, *a.type), top);
  }
}

}  // namespace starling::coll
