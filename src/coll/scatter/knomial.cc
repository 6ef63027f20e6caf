// SPDX-License-Identifier: BSD-3-Clause
// k-nomial tree: as the binomial one with fewer levels, so that blocks are copied less often on their way. For blocks of equal
// size. Cost: ceil(log_k p) (k - 1) alpha + n (p - 1) beta for blocks of n bytes.
#include "coll/scatter/tree.h"
#include "coll/tree.h"

namespace starling::coll {

Task scatter_knomial(Ctx c, ScatterArgs a) { return scatter_tree(c, a, tree_degree()); }

Traffic scatter_knomial_traffic(const Load& load) {
  return {load.ranks - 1, blocks_below(load.ranks, tree_degree()) * load.bytes};
}

}  // namespace starling::coll
