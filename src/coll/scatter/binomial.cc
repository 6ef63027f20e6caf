// SPDX-License-Identifier: BSD-3-Clause
// Binomial tree, from the root: each process gets the packed blocks of its subtree and passes on the halves. For short blocks
// of equal size. Cost: ceil(log2 p) alpha + n (p - 1) beta for blocks of n bytes.
#include "coll/scatter/tree.h"
#include "coll/tree.h"

namespace starling::coll {

Task scatter_binomial(Ctx c, ScatterArgs a) { return scatter_tree(c, a, 2); }

Traffic scatter_binomial_traffic(const Load& load) { return {load.ranks - 1, blocks_below(load.ranks, 2) * load.bytes}; }

}  // namespace starling::coll
