// SPDX-License-Identifier: BSD-3-Clause
// k-nomial tree: as the binomial one with fewer levels, where a process combines what up to k - 1 others send at a time.
// Cost: ceil(log_k p) (alpha + (k - 1) (n beta + n gamma)).
#include "coll/reduce/tree.h"
#include "coll/tree.h"

namespace starling::coll {

Task reduce_knomial(Ctx c, ReduceArgs a) { return reduce_tree(c, a, tree_degree()); }

Traffic reduce_knomial_traffic(const Load& load) { return {load.ranks - 1, (load.ranks - 1) * load.bytes}; }

}  // namespace starling::coll
