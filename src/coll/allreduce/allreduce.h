// SPDX-License-Identifier: BSD-3-Clause
// MPI_Allreduce: everybody's data, combined, to everybody.
#pragma once

#include "coll/algorithm.h"

namespace starling::coll {

extern const Collective<ReduceArgs> kAllreduce;

Task allreduce_shared(Ctx c, ReduceArgs a);
Task allreduce_recursive_doubling(Ctx c, ReduceArgs a);
Task allreduce_reduce_scatter_allgather(Ctx c, ReduceArgs a);
Task allreduce_ring(Ctx c, ReduceArgs a);
Task allreduce_inter_reduce_exchange_bcast(Ctx c, ReduceArgs a);

}  // namespace starling::coll
