// SPDX-License-Identifier: BSD-3-Clause
// MPI_Scan and MPI_Exscan: everybody gets the combination of the data of all ranks up to (below) its own.
#pragma once

#include "coll/algorithm.h"

namespace starling::coll {

extern const Collective<ReduceArgs> kScan;
extern const Collective<ReduceArgs> kExscan;

Task scan_shared(Ctx c, ReduceArgs a);
Task exscan_shared(Ctx c, ReduceArgs a);
Task scan_recursive_doubling(Ctx c, ReduceArgs a);
Task exscan_recursive_doubling(Ctx c, ReduceArgs a);
Task scan_linear(Ctx c, ReduceArgs a);
Task exscan_linear(Ctx c, ReduceArgs a);
Task scan_two_level(Ctx c, ReduceArgs a);
Task exscan_two_level(Ctx c, ReduceArgs a);

Traffic scan_recursive_doubling_traffic(const Load& load);
Traffic scan_linear_traffic(const Load& load);
Traffic scan_two_level_traffic(const Load& load);

}  // namespace starling::coll
