// SPDX-License-Identifier: BSD-3-Clause
#include "coll/bcast/pieces.h"

namespace starling::coll {

Task scatter_pieces(Ctx c, Data message, Partition cut, int root) {
  const int relative = (c.rank - root + c.size) % c.size;
  if (relative >= cut.parts) co_return;
  const Tree tree(relative, cut.parts, 0, 2);
  if (!tree.top()) co_await c.recv(pieces(message, cut, relative, tree.end()), (tree.parent() + root) % c.size);
  for (int i = tree.children() - 1; i >= 0; --i)
    co_await c.send(pieces(message, cut, tree.child(i), tree.end_of(i)), (tree.child(i) + root) % c.size);
}

}  // namespace starling::coll
