// SPDX-License-Identifier: BSD-3-Clause
// MPI_Reduce_scatter and MPI_Reduce_scatter_block: everybody's data, combined, a block of the result to each process.
#pragma once

#include "coll/algorithm.h"

namespace starling::coll {

extern const Collective<ReduceScatterArgs> kReduceScatterBlock;
extern const Collective<ReduceScatterArgs> kReduceScatter;

Task reduce_scatter_shared(Ctx c, ReduceScatterArgs a);
Task reduce_scatter_direct(Ctx c, ReduceScatterArgs a);
Task reduce_scatter_noncommutative(Ctx c, ReduceScatterArgs a);
Task reduce_scatter_pairwise(Ctx c, ReduceScatterArgs a);
Task reduce_scatter_recursive_halving(Ctx c, ReduceScatterArgs a);
Task reduce_scatter_ring(Ctx c, ReduceScatterArgs a);
Task reduce_scatter_inter_remote_reduce_local_scatter(Ctx c, ReduceScatterArgs a);

Traffic reduce_scatter_direct_traffic(const Load& load);  // of all in which a block makes p - 1 steps
Traffic reduce_scatter_recursive_halving_traffic(const Load& load);

// The vector of all blocks, and where they begin.
class BlockVector {
 public:
  BlockVector(const Ctx& c, const ReduceScatterArgs& a, const void* address, int blocks);
  // Blocks first ... last - 1.
  Data range(int first, int last) const { return vector_.part(first_[first], first_[last] - first_[first]); }
  Data operator[](int block) const { return range(block, block + 1); }
  const Data& all() const { return vector_; }

 private:
  ScratchArray<Count> first_;
  Data vector_;
};

}  // namespace starling::coll
