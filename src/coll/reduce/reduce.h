// SPDX-License-Identifier: BSD-3-Clause
// MPI_Reduce: everybody's data, combined, to the root.
#pragma once

#include "coll/algorithm.h"

namespace starling::coll {

extern const Collective<ReduceArgs> kReduce;

Task reduce_shared(Ctx c, ReduceArgs a);
Task reduce_direct(Ctx c, ReduceArgs a);
Task reduce_binomial(Ctx c, ReduceArgs a);
Task reduce_folded_binomial(Ctx c, ReduceArgs a);
Task reduce_knomial(Ctx c, ReduceArgs a);
Task reduce_pipelined(Ctx c, ReduceArgs a);
Task reduce_reduce_scatter_gather(Ctx c, ReduceArgs a);
Task reduce_two_level(Ctx c, ReduceArgs a);
Task reduce_inter_local_reduce_remote_send(Ctx c, ReduceArgs a);

Traffic reduce_binomial_traffic(const Load& load);
Traffic reduce_folded_binomial_traffic(const Load& load);
Traffic reduce_knomial_traffic(const Load& load);
Traffic reduce_pipelined_traffic(const Load& load);
Traffic reduce_reduce_scatter_gather_traffic(const Load& load);
Traffic reduce_two_level_traffic(const Load& load);

}  // namespace starling::coll
