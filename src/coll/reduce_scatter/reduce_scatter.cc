// SPDX-License-Identifier: BSD-3-Clause
#include "coll/reduce_scatter/reduce_scatter.h"

#include "coll/drive.h"

namespace starling::coll {

namespace {

bool commutative(const Ctx& c, const ReduceScatterArgs& a) { return c.may_reorder(*a.op); }
Count count_in_all(const Ctx& c, const ReduceScatterArgs& a) {
  Count sum = 0;
  if (!a.counts) return c.size * a.count;
  for (int i = 0; i < c.size; ++i) sum += a.counts[i];
  return sum;
}
bool fits_board(const Ctx& c, const ReduceScatterArgs& a) {
  return may_have_board(c) && span(count_in_all(c, a), *a.type) <= kSlotRoom;
}
// As vector_is_direct.
bool is_direct(const Ctx& c, const ReduceScatterArgs& a) {
  return may_have_board(c) && a.type->permanent && a.type->contiguous;
}

constexpr Algorithm<ReduceScatterArgs> kIntra[] = {
    {"pairwise", reduce_scatter_pairwise, commutative, reduce_scatter_direct_traffic},
    {"shared", reduce_scatter_shared, fits_board, nullptr, kInCallOrder},
    {"direct", reduce_scatter_direct, is_direct, nullptr, kInCallOrder},
    {"ring", reduce_scatter_ring, commutative, reduce_scatter_direct_traffic},
    {"recursive_halving", reduce_scatter_recursive_halving, commutative, reduce_scatter_recursive_halving_traffic},
    {"noncommutative", reduce_scatter_noncommutative, nullptr, reduce_scatter_direct_traffic, kCanonical},
};
constexpr Algorithm<ReduceScatterArgs> kInter[] = {
    {"remote_reduce_local_scatter", reduce_scatter_inter_remote_reduce_local_scatter}};

// Of the whole input.
Count bytes(const Ctx& c, const ReduceScatterArgs& a) { return count_in_all(c, a) * a.type->size; }

}  // namespace

BlockVector::BlockVector(const Ctx& c, const ReduceScatterArgs& a, const void* address, int blocks) : first_(c, blocks + 1) {
  first_[0] = 0;
  for (int i = 0; i < blocks; ++i) first_[i + 1] = first_[i] + a.count_of(i);
  vector_ = data(address, first_[blocks], *a.type);
}

constexpr Collective<ReduceScatterArgs> kReduceScatterBlock{Id::kReduceScatterBlock,
                                                            kIntra,
                                                            kInter,
                                                            bytes,
                                                            nonblocking_ops("MPI_Ireduce_scatter_block"),
                                                            persistent_ops("MPI_Reduce_scatter_block_init")};
constexpr Collective<ReduceScatterArgs> kReduceScatter{Id::kReduceScatter,
                                                       kIntra,
                                                       kInter,
                                                       bytes,
                                                       nonblocking_ops("MPI_Ireduce_scatter"),
                                                       persistent_ops("MPI_Reduce_scatter_init")};

}  // namespace starling::coll
