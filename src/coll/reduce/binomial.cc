// SPDX-License-Identifier: BSD-3-Clause
// Binomial tree: everybody combines what its children have reduced, and passes it on. An operation without commutativity is
// reduced in the order of ranks to rank 0, which sends the result to the root. Cost: ceil(log2 p) (alpha + n beta + n gamma).
#include "coll/reduce/tree.h"

namespace starling::coll {

Task reduce_binomial(Ctx c, ReduceArgs a) { return reduce_tree(c, a, 2); }

Traffic reduce_binomial_traffic(const Load& load) { return {load.ranks - 1, (load.ranks - 1) * load.bytes}; }

}  // namespace starling::coll
