// SPDX-License-Identifier: BSD-3-Clause
// k-nomial tree: as the binomial one, but each process serves k - 1 others on a level, all at a time; fewer levels where
// starting a message costs less than its way. Cost: ceil(log_k p) (alpha + (k - 1) n beta).
#include "coll/bcast/bcast.h"
#include "coll/tree.h"

namespace starling::coll {

Task bcast_knomial(Ctx c, BcastArgs a) {
  if (a.data.bytes() == 0) co_return;
  const Tree tree(c, a.root, tree_degree());
  if (!tree.top()) co_await c.recv(a.data, tree.parent());
  Messages batch(c, tree.children());
  for (int i = tree.children() - 1; i >= 0; --i) batch.send(a.data, tree.rank_of(tree.child(i)));
  co_await batch.all();
}

Traffic bcast_knomial_traffic(const Load& load) { return {load.ranks - 1, (load.ranks - 1) * load.bytes}; }

}  // namespace starling::coll
