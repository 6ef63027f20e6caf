// SPDX-License-Identifier: BSD-3-Clause
// MPI_Bcast: the root's data to everybody.
#pragma once

#include "coll/algorithm.h"

namespace starling::coll {

extern const Collective<BcastArgs> kBcast;

Task bcast_shared(Ctx c, BcastArgs a);
Task bcast_direct(Ctx c, BcastArgs a);
Task bcast_binomial(Ctx c, BcastArgs a);
Task bcast_knomial(Ctx c, BcastArgs a);
Task bcast_pipelined_chain(Ctx c, BcastArgs a);
Task bcast_pipelined_tree(Ctx c, BcastArgs a);
Task bcast_scatter_ring_allgather(Ctx c, BcastArgs a);
Task bcast_scatter_recursive_doubling_allgather(Ctx c, BcastArgs a);
Task bcast_multi_endpoint_flat(Ctx c, BcastArgs a);
Task bcast_multi_endpoint_knomial(Ctx c, BcastArgs a);
Task bcast_multi_endpoint_hybrid(Ctx c, BcastArgs a);
Task bcast_inter_remote_send_local_bcast(Ctx c, BcastArgs a);

Traffic bcast_binomial_traffic(const Load& load);
Traffic bcast_knomial_traffic(const Load& load);
Traffic bcast_pipelined_traffic(const Load& load);
Traffic bcast_scatter_ring_allgather_traffic(const Load& load);
Traffic bcast_scatter_recursive_doubling_allgather_traffic(const Load& load);
Traffic bcast_multi_endpoint_traffic(const Load& load);

}  // namespace starling::coll
