// SPDX-License-Identifier: BSD-3-Clause
// Binomial tree, towards the root: who has the blocks of its subtree passes them on, packed. For short blocks of equal size.
// Cost: ceil(log2 p) alpha + n (p - 1) beta for blocks of n bytes.
#include "coll/gather/tree.h"
#include "coll/tree.h"

namespace starling::coll {

Task gather_binomial(Ctx c, GatherArgs a) { return gather_tree(c, a, 2); }

Traffic gather_binomial_traffic(const Load& load) { return {load.ranks - 1, blocks_below(load.ranks, 2) * load.bytes}; }

}  // namespace starling::coll
