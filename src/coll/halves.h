// SPDX-License-Identifier: BSD-3-Clause
// The halves of Rabenseifner's algorithms: recursive vector halving with distance doubling. The seats of a Fold reduce a vector
// so that each has a part of the result in the end. Distances double and the parts that are kept shrink, so that always
// neighbouring ranges of ranks are combined: right for operations without commutativity, too. Rabenseifner, "Optimization of
// collective reduction operations", ICCS 2004.
#pragma once

#include "coll/args.h"
#include "coll/fold.h"

namespace starling::coll {

// The part of `vector` that is left to a seat when it has halved it with its partners at all distances below `limit`: with
// limit 1 all of it, with fold.seats what the seat has in the end.
Data half(const Data& vector, const Fold& fold, int seat, int limit);

// For those with a seat, whose data are `mine`; `vector` is where its part of the result comes to lie, and where the others
// have their places. They are the same memory or do not overlap.
Task reduce_halves(Ctx c, ReduceArgs a, Fold fold, Data mine, Data vector);
// The other way round: everybody with a seat has its part, and gets the whole vector.
Task gather_halves(Ctx c, Fold fold, Data vector);

// For the first member of a pair: gives its data to the neighbour. For the second: combines both into `vector`. Others do
// nothing.
Task fold_data(Ctx c, ReduceArgs a, Fold fold, Data source, Data vector);
// Where the data of a seat are after that.
inline const Data& folded(const Fold& fold, const Data& source, const Data& vector) {
  return fold.neighbour >= 0 ? vector : source;
}

}  // namespace starling::coll
