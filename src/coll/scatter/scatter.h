// SPDX-License-Identifier: BSD-3-Clause
// MPI_Scatter and MPI_Scatterv: a block of the root's data to each process.
#pragma once

#include "coll/algorithm.h"

namespace starling::coll {

extern const Collective<ScatterArgs> kScatter;
extern const Collective<ScatterArgs> kScatterv;

Task scatter_shared(Ctx c, ScatterArgs a);
Task scatter_direct(Ctx c, ScatterArgs a);
Task scatter_binomial(Ctx c, ScatterArgs a);
Task scatter_knomial(Ctx c, ScatterArgs a);
Task scatter_two_level(Ctx c, ScatterArgs a);
Task scatter_linear(Ctx c, ScatterArgs a);
Task scatter_inter_linear(Ctx c, ScatterArgs a);

Traffic scatter_binomial_traffic(const Load& load);
Traffic scatter_knomial_traffic(const Load& load);
Traffic scatter_two_level_traffic(const Load& load);
Traffic scatter_linear_traffic(const Load& load);

}  // namespace starling::coll
