// SPDX-License-Identifier: BSD-3-Clause
// MPI_Barrier: nobody leaves before everybody has entered.
#pragma once

#include "coll/algorithm.h"

namespace starling::coll {

extern const Collective<BarrierArgs> kBarrier;

Task barrier_dissemination(Ctx c, BarrierArgs a);
Task barrier_shared(Ctx c, BarrierArgs a);
Task barrier_linear(Ctx c, BarrierArgs a);
Task barrier_tree(Ctx c, BarrierArgs a);
Task barrier_recursive_exchange(Ctx c, BarrierArgs a);
Task barrier_two_level(Ctx c, BarrierArgs a);
Task barrier_inter_bcast(Ctx c, BarrierArgs a);

Traffic barrier_dissemination_traffic(const Load& load);
Traffic barrier_linear_traffic(const Load& load);
Traffic barrier_tree_traffic(const Load& load);
Traffic barrier_recursive_exchange_traffic(const Load& load);
Traffic barrier_two_level_traffic(const Load& load);

}  // namespace starling::coll
