// SPDX-License-Identifier: BSD-3-Clause
// MPI_Bcast: the root's data to everybody.
#pragma once

#include "coll/algorithm.h"

namespace starling::coll {

extern const Collective<BcastArgs> kBcast;

Task bcast_shared(Ctx c, BcastArgs a);
Task bcast_binomial(Ctx c, BcastArgs a);
Task bcast_scatter_ring_allgather(Ctx c, BcastArgs a);
Task bcast_inter_remote_send_local_bcast(Ctx c, BcastArgs a);

}  // namespace starling::coll
