// SPDX-License-Identifier: BSD-3-Clause
// k-nomial tree: as the binomial one with fewer levels, so that blocks are copied less often on their way. For blocks of equal
// size. Cost: ceil(log_k p) (k - 1) alpha + n (p - 1) beta for blocks of n bytes.
#include "coll/gather/tree.h"
#include "coll/tree.h"

namespace starling::coll {

Task gather_knomial(Ctx c, GatherArgs a) { return gather_tree(c, a, tree_degree()); }

Traffic gather_knomial_traffic(const Load& load) {
  return {load.ranks - 1, blocks_below(load.ranks, tree_degree()) * load.bytes};
}

}  // namespace starling::coll
