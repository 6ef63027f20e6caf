// SPDX-License-Identifier: BSD-3-Clause
// MPI_Allreduce: everybody's data, combined, to everybody.
#pragma once

#include "coll/algorithm.h"

namespace starling::coll {

extern const Collective<ReduceArgs> kAllreduce;

Task allreduce_shared(Ctx c, ReduceArgs a);
Task allreduce_direct(Ctx c, ReduceArgs a);
Task allreduce_recursive_doubling(Ctx c, ReduceArgs a);
Task allreduce_reduce_scatter_allgather(Ctx c, ReduceArgs a);
Task allreduce_ring(Ctx c, ReduceArgs a);
Task allreduce_recursive_multiplying(Ctx c, ReduceArgs a);
Task allreduce_reduce_bcast(Ctx c, ReduceArgs a);
Task allreduce_tree(Ctx c, ReduceArgs a);
Task allreduce_multi_leader(Ctx c, ReduceArgs a);
Task allreduce_inter_reduce_exchange_bcast(Ctx c, ReduceArgs a);

Traffic allreduce_recursive_doubling_traffic(const Load& load);
Traffic allreduce_reduce_scatter_allgather_traffic(const Load& load);
Traffic allreduce_ring_traffic(const Load& load);
Traffic allreduce_recursive_multiplying_traffic(const Load& load);
Traffic allreduce_reduce_bcast_traffic(const Load& load);
Traffic allreduce_tree_traffic(const Load& load);
Traffic allreduce_multi_leader_traffic(const Load& load);

}  // namespace starling::coll
