// SPDX-License-Identifier: BSD-3-Clause
#include "coll/reduce/tree.h"

#include "coll/accumulator.h"
#include "coll/tree.h"

namespace starling::coll {

Task reduce_tree(Ctx c, ReduceArgs a, int degree) {
  const bool root = c.rank == a.root;
  const void* source = root ? a.source() : a.send;
  void* room = root && !a.in_place() ? a.recv : nullptr;
  const int top = c.may_reorder(*a.op) ? a.root : 0;
  const Tree tree(c, top, degree);
  Accumulator result(c, source, room, a.count, *a.type, *a.op);
  for (int i = 0; i < tree.children(); ++i) {
    co_await c.recv(result.incoming(), tree.rank_of(tree.child(i)));
    result.absorb_higher();
  }
  if (!tree.top()) co_await c.send(result.current(), tree.parent());
  if (top == a.root) {
    if (root) result.finish(a.recv);
  } else if (c.rank == top) {
    co_await c.send(result.current(), a.root);
  } else if (root) {
    co_await c.recv(data(a.recv, a.count, *a.type), top);
  }
}

}  // namespace starling::coll
