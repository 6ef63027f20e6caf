// SPDX-License-Identifier: BSD-3-Clause
#include "coll/scatter/tree.h"

#include "coll/tree.h"

namespace starling::coll {

Task scatter_tree(Ctx c, ScatterArgs a, int degree) {
  const Tree tree(c, a.root, degree);
  const Count block = tree.top() ? a.send.bytes(0) : a.recv.bytes();
  if (tree.children() == 0 && !tree.top()) {
    co_await c.recv(a.recv, tree.parent());
    co_return;
  }
  const int me = tree.number();
  Scratch packed(c, block * (tree.end() - me));
  if (tree.top()) {
    for (int i = 1; i < c.size; ++i) c.copy(a.send[tree.rank_of(i)], packed.raw(i * block, block));
    if (!a.recv.in_place()) c.copy(a.send[c.rank], a.recv);
  } else {
    co_await c.recv(packed.raw(0, (tree.end() - me) * block), tree.parent());
    c.copy(packed.raw(0, block), a.recv);
  }
  for (int i = tree.children() - 1; i >= 0; --i) {
    const int child = tree.child(i);
    co_await c.send(packed.raw((child - me) * block, (tree.end_of(i) - child) * block), tree.rank_of(child));
  }
}

}  // namespace starling::coll
