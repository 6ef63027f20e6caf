// SPDX-License-Identifier: BSD-3-Clause
// The rules that hold until measurements replace them: crossover points as the cost formulas of the algorithms and the
// literature suggest them (Thakur, Rabenseifner, Gropp, IJHPCA 19(1), 2005).
#include "coll/rules.h"

namespace starling::coll {

namespace {

constexpr Count kKiB = 1024;

constexpr Rule kRules[] = {
    // Between nodes: short messages as few as possible, since the ranks of a node share its way out (which the model does not
    // know);
    // long ones as the model says.
    {Id::kBarrier, "two_level", 0, 0, 3, kAnyRanks, Cores::kAny, 2},
    {Id::kBcast, "multi_endpoint_hybrid", 0, 8 * kKiB, 3, kAnyRanks, Cores::kAny, 2},
    {Id::kBcast, "knomial", 0, 64 * kKiB, 3, kAnyRanks, Cores::kAny, 2},
    {Id::kBcast, "scatter_recursive_doubling_allgather", 0, kAnyBytes, 3, kAnyRanks, Cores::kAny, 2},
    {Id::kGather, "two_level", 0, 8 * kKiB, 3, kAnyRanks, Cores::kAny, 2},
    {Id::kScatter, "two_level", 0, 8 * kKiB, 3, kAnyRanks, Cores::kAny, 2},
    {Id::kReduce, "two_level", 0, 16 * kKiB, 3, kAnyRanks, Cores::kAny, 2},
    {Id::kAllreduce, "multi_leader", 0, 8 * kKiB, 3, kAnyRanks, Cores::kAny, 2},
    {Id::kAllreduce, "reduce_scatter_allgather", 0, kAnyBytes, 3, kAnyRanks, Cores::kAny, 2},
    {Id::kScan, "two_level", 0, 16 * kKiB, 3, kAnyRanks, Cores::kAny, 2},
    {Id::kExscan, "two_level", 0, 16 * kKiB, 3, kAnyRanks, Cores::kAny, 2},

    // Where ranks take turns on a core, what counts is how often each must have its turn.
    {Id::kBarrier, "shared", 0, 0, 2, kAnyRanks, Cores::kShared},
    {Id::kBcast, "shared", 0, 2 * kKiB, 2, kAnyRanks, Cores::kShared},
    {Id::kGather, "shared", 0, kKiB, 2, kAnyRanks, Cores::kShared},
    {Id::kScatter, "shared", 0, kKiB, 2, kAnyRanks, Cores::kShared},
    {Id::kAllgather, "shared", 0, 64 * kKiB, 2, kAnyRanks, Cores::kShared},
    {Id::kAllgatherv, "shared", 0, 64 * kKiB, 2, kAnyRanks, Cores::kShared},
    {Id::kAlltoall, "shared", 0, 8 * kKiB, 2, kAnyRanks, Cores::kShared},
    {Id::kReduce, "shared", 0, 8 * kKiB, 2, kAnyRanks, Cores::kShared},
    {Id::kAllreduce, "shared", 0, 8 * kKiB, 2, kAnyRanks, Cores::kShared},
    {Id::kReduceScatterBlock, "shared", 0, 8 * kKiB, 2, kAnyRanks, Cores::kShared},
    {Id::kReduceScatter, "noncommutative", 0, 8, 3, kAnyRanks,
     Cores::kShared},  // most blocks are empty: only who gets one waits
    {Id::kReduceScatter, "shared", 0, 8 * kKiB, 2, kAnyRanks, Cores::kShared},
    {Id::kScan, "shared", 0, 8 * kKiB, 2, kAnyRanks, Cores::kShared},
    {Id::kExscan, "shared", 0, 8 * kKiB, 2, kAnyRanks, Cores::kShared},

    // Longer ones: a message passes through the memory of each step's processes, a direct copy through none.
    {Id::kGather, "direct", 0, kAnyBytes, 2, kAnyRanks, Cores::kShared},
    {Id::kScatter, "direct", 0, kAnyBytes, 2, kAnyRanks, Cores::kShared},
    {Id::kBcast, "direct", 0, kAnyBytes, 2, kAnyRanks, Cores::kShared},
    {Id::kAllgather, "direct", 0, kAnyBytes, 2, kAnyRanks, Cores::kShared},
    {Id::kAllgatherv, "direct", 0, kAnyBytes, 2, kAnyRanks, Cores::kShared},
    {Id::kAlltoall, "direct", 0, kAnyBytes, 2, kAnyRanks, Cores::kShared},
    {Id::kReduce, "knomial", 0, 128 * kKiB, 2, kAnyRanks, Cores::kShared},  // a flat tree: few have to wait
    {Id::kReduce, "direct", 0, kAnyBytes, 2, kAnyRanks, Cores::kShared},
    {Id::kAllreduce, "direct", 0, kAnyBytes, 2, kAnyRanks, Cores::kShared},
    {Id::kReduceScatterBlock, "direct", 0, kAnyBytes, 2, kAnyRanks, Cores::kShared},
    {Id::kReduceScatter, "direct", 0, kAnyBytes, 2, kAnyRanks, Cores::kShared},

    // Two processes with cores of their own (more have not been measured): short ones in as few lines as they fit into, from
    // where the other has them at once; longer ones likewise, where messages do not let both copy.
    {Id::kBarrier, "shared", 0, 0, 2, 2, Cores::kOwn},
    {Id::kBcast, "shared", 0, kKiB, 2, 2, Cores::kOwn},
    {Id::kBcast, "direct", 0, 16 * kKiB, 2, 2, Cores::kOwn},
    {Id::kGather, "shared", 0, kKiB, 2, 2, Cores::kOwn},
    {Id::kGather, "direct", 0, kAnyBytes, 2, 2, Cores::kOwn},
    {Id::kScatter, "shared", 0, 4 * kKiB, 2, 2, Cores::kOwn},
    {Id::kScatter, "direct", 0, kAnyBytes, 2, 2, Cores::kOwn},
    {Id::kAllgather, "shared", 0, 64, 2, 2, Cores::kOwn},
    {Id::kAllgather, "direct", 512, kAnyBytes, 2, 2, Cores::kOwn},
    {Id::kAllgatherv, "direct", 512, kAnyBytes, 2, 2, Cores::kOwn},
    {Id::kAlltoall, "shared", 0, kKiB, 2, 2, Cores::kOwn},
    {Id::kAlltoall, "direct", kKiB, kAnyBytes, 2, 2, Cores::kOwn},
    {Id::kAlltoall, "pairwise", 0, kAnyBytes, 2, 2, Cores::kOwn},
    {Id::kReduce, "shared", 0, kKiB, 2, 2, Cores::kOwn},
    {Id::kReduce, "direct", 0, 256 * kKiB, 2, 2, Cores::kOwn},
    {Id::kReduce, "binomial", 0, kAnyBytes, 2, 2, Cores::kOwn},
    {Id::kAllreduce, "shared", 0, 32, 2, 2, Cores::kOwn},
    {Id::kAllreduce, "direct", 512, kAnyBytes, 2, 2, Cores::kOwn},
    {Id::kReduceScatterBlock, "direct", kKiB, kAnyBytes, 2, 2, Cores::kOwn},
    {Id::kReduceScatterBlock, "pairwise", 0, kAnyBytes, 2, 2, Cores::kOwn},
    {Id::kReduceScatter, "direct", kKiB, kAnyBytes, 2, 2, Cores::kOwn},
    {Id::kReduceScatter, "pairwise", 0, kAnyBytes, 2, 2, Cores::kOwn},

    {Id::kBarrier, "k_dissemination", 0, 0, 1, kAnyRanks},

    {Id::kBcast, "binomial", 0, 128 * kKiB, 1, kAnyRanks},
    {Id::kBcast, "binomial", 0, kAnyBytes, 1, 3},
    {Id::kBcast, "scatter_ring_allgather", 0, kAnyBytes, 4, kAnyRanks},

    {Id::kGather, "binomial", 0, 8 * kKiB, 3, kAnyRanks},
    {Id::kGather, "direct", 0, kAnyBytes, 2, kAnyRanks},  // everybody copies, not the root alone
    {Id::kGather, "linear", 0, kAnyBytes, 1, kAnyRanks},
    {Id::kScatter, "binomial", 0, 8 * kKiB, 3, kAnyRanks},
    {Id::kScatter, "direct", 0, kAnyBytes, 2, kAnyRanks},
    {Id::kScatter, "linear", 0, kAnyBytes, 1, kAnyRanks},

    // Bytes of the whole result.
    {Id::kAllgather, "recursive_doubling", 0, 64 * kKiB, 1, kAnyRanks},
    {Id::kAllgather, "brucks", 0, 64 * kKiB, 1, kAnyRanks},
    {Id::kAllgather, "ring", 0, kAnyBytes, 1, kAnyRanks},
    {Id::kAllgatherv, "brucks", 0, 64 * kKiB, 3, kAnyRanks},
    {Id::kAllgatherv, "ring", 0, kAnyBytes, 1, kAnyRanks},

    // Bytes of a block.
    {Id::kAlltoall, "brucks", 0, 256, 8, kAnyRanks},
    {Id::kAlltoall, "scattered", 0, 32 * kKiB, 1, kAnyRanks},
    {Id::kAlltoall, "pairwise", 0, kAnyBytes, 1, kAnyRanks},

    {Id::kReduce, "binomial", 0, 16 * kKiB, 1, kAnyRanks},
    {Id::kReduce, "folded_binomial", 0, 16 * kKiB, 1, kAnyRanks},  // where results shall be reproducible
    {Id::kReduce, "reduce_scatter_gather", 0, kAnyBytes, 2, kAnyRanks},
    {Id::kAllreduce, "recursive_doubling", 0, 8 * kKiB, 1, kAnyRanks},
    {Id::kAllreduce, "reduce_scatter_allgather", 0, 1024 * kKiB, 2, kAnyRanks},
    {Id::kAllreduce, "reduce_scatter_allgather", 0, kAnyBytes, 2, 4},
    {Id::kAllreduce, "ring", 0, kAnyBytes, 5, kAnyRanks},

    // Bytes of the whole input.
    {Id::kReduceScatterBlock, "recursive_halving", 0, 64 * kKiB, 1, kAnyRanks},
    {Id::kReduceScatterBlock, "pairwise", 0, kAnyBytes, 1, kAnyRanks},
    {Id::kReduceScatter, "recursive_halving", 0, 64 * kKiB, 1, kAnyRanks},
    {Id::kReduceScatter, "pairwise", 0, kAnyBytes, 1, kAnyRanks},
};

}  // namespace

std::span<const Rule> rules() { return kRules; }

}  // namespace starling::coll
