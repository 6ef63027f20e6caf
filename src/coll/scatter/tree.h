// SPDX-License-Identifier: BSD-3-Clause
// The body of the scatters down a tree.
#pragma once

#include "coll/scatter/scatter.h"

namespace starling::coll {

// k-nomial, with `degree` k.
Task scatter_tree(Ctx c, ScatterArgs a, int degree);

}  // namespace starling::coll
