// SPDX-License-Identifier: BSD-3-Clause
// MPI_Reduce: everybody's data, combined, to the root.
#pragma once

#include "coll/algorithm.h"

namespace starling::coll {

extern const Collective<ReduceArgs> kReduce;

Task reduce_shared(Ctx c, ReduceArgs a);
Task reduce_binomial(Ctx c, ReduceArgs a);
Task reduce_reduce_scatter_gather(Ctx c, ReduceArgs a);
Task reduce_inter_local_reduce_remote_send(Ctx c, ReduceArgs a);

}  // namespace starling::coll
