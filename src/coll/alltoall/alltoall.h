// SPDX-License-Identifier: BSD-3-Clause
// MPI_Alltoall, MPI_Alltoallv and MPI_Alltoallw: a block from everybody to everybody.
#pragma once

#include "coll/algorithm.h"

namespace starling::coll {

extern const Collective<AlltoallArgs> kAlltoall;
extern const Collective<AlltoallArgs> kAlltoallv;
extern const Collective<AlltoallArgs> kAlltoallw;

Task alltoall_shared(Ctx c, AlltoallArgs a);
Task alltoall_direct(Ctx c, AlltoallArgs a);
Task alltoall_brucks(Ctx c, AlltoallArgs a);
Task alltoall_scattered(Ctx c, AlltoallArgs a);
Task alltoall_pairwise(Ctx c, AlltoallArgs a);
Task alltoall_pairwise_sendrecv_replace(Ctx c, AlltoallArgs a);
Task alltoall_inter_pairwise_exchange(Ctx c, AlltoallArgs a);

Traffic alltoall_brucks_traffic(const Load& load);
Traffic alltoall_pairwise_traffic(const Load& load);  // of all in which every block goes straight to its destination

}  // namespace starling::coll
