// SPDX-License-Identifier: BSD-3-Clause
// MPI_Gather and MPI_Gatherv: everybody's data to the root.
#pragma once

#include "coll/algorithm.h"

namespace starling::coll {

extern const Collective<GatherArgs> kGather;
extern const Collective<GatherArgs> kGatherv;

Task gather_shared(Ctx c, GatherArgs a);
Task gather_direct(Ctx c, GatherArgs a);
Task gather_binomial(Ctx c, GatherArgs a);
Task gather_knomial(Ctx c, GatherArgs a);
Task gather_two_level(Ctx c, GatherArgs a);
Task gather_linear(Ctx c, GatherArgs a);
Task gather_inter_linear(Ctx c, GatherArgs a);

Traffic gather_binomial_traffic(const Load& load);
Traffic gather_knomial_traffic(const Load& load);
Traffic gather_two_level_traffic(const Load& load);
Traffic gather_linear_traffic(const Load& load);

}  // namespace starling::coll
