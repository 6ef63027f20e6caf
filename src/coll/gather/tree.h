// SPDX-License-Identifier: BSD-3-Clause
// The body of the gathers up a tree.
#pragma once

#include "coll/gather/gather.h"

namespace starling::coll {

// k-nomial, with `degree` k.
Task gather_tree(Ctx c, GatherArgs a, int degree);

}  // namespace starling::coll
