// SPDX-License-Identifier: BSD-3-Clause
#include "coll/gather/tree.h"

#include "coll/tree.h"

namespace starling::coll {

Task gather_tree(Ctx c, GatherArgs a, int degree) {
  const Tree tree(c, a.root, degree);
  const Data mine = tree.top() && a.send.in_place() ? a.recv[c.rank] : a.send;
  const Count block = tree.top() ? a.recv.bytes(0) : a.send.bytes();
  if (tree.children() == 0 && !tree.top()) {
    co_await c.send(mine, tree.parent());
    co_return;
  }
  const int me = tree.number();
  Scratch packed(c, block * (tree.end() - me));
  if (!tree.top()) c.copy(mine, packed.raw(0, block));
  for (int i = 0; i < tree.children(); ++i) {
    const int child = tree.child(i);
    co_await c.recv(packed.raw((child - me) * block, (tree.end_of(i) - child) * block), tree.rank_of(child));
  }
  if (!tree.top()) {
    co_await c.send(packed.raw(0, (tree.end() - me) * block), tree.parent());
    co_return;
  }
  if (!a.send.in_place()) c.copy(a.send, a.recv[c.rank]);
  for (int i = 1; i < c.size; ++i) c.copy(packed.raw(i * block, block), a.recv[tree.rank_of(i)]);
}

}  // namespace starling::coll
