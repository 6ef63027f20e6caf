// SPDX-License-Identifier: BSD-3-Clause
// MPI_Allgather and MPI_Allgatherv: everybody's data to everybody.
#pragma once

#include "coll/algorithm.h"

namespace starling::coll {

extern const Collective<AllgatherArgs> kAllgather;
extern const Collective<AllgatherArgs> kAllgatherv;

Task allgather_shared(Ctx c, AllgatherArgs a);
Task allgather_direct(Ctx c, AllgatherArgs a);
Task allgather_brucks(Ctx c, AllgatherArgs a);
Task allgather_recursive_doubling(Ctx c, AllgatherArgs a);
Task allgather_ring(Ctx c, AllgatherArgs a);
Task allgather_neighbor_exchange(Ctx c, AllgatherArgs a);
Task allgather_spread(Ctx c, AllgatherArgs a);
Task allgather_inter_remote_gather_local_bcast(Ctx c, AllgatherArgs a);

Traffic allgather_brucks_traffic(const Load& load);
Traffic allgather_recursive_doubling_traffic(const Load& load);
Traffic allgather_ring_traffic(const Load& load);
Traffic allgather_neighbor_exchange_traffic(const Load& load);
Traffic allgather_spread_traffic(const Load& load);

}  // namespace starling::coll
