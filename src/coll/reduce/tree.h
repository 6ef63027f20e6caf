// SPDX-License-Identifier: BSD-3-Clause
// The body of the reductions up a tree.
#pragma once

#include "coll/reduce/reduce.h"

namespace starling::coll {

// k-nomial, with `degree` k.
Task reduce_tree(Ctx c, ReduceArgs a, int degree);

}  // namespace starling::coll
