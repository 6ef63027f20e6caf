// SPDX-License-Identifier: BSD-3-Clause
// Every algorithm of the reductions against the definition, for many numbers of ranks, with and without commutativity.
#include "coll/reduce/reduce.h"

#include "coll/allreduce/allreduce.h"
#include "coll/reduce_scatter/reduce_scatter.h"
#include "coll/scan/scan.h"
#include "coll/sim_test.h"

namespace starling::coll::test {
namespace {

// All ranks' vectors, and the buffers they are reduced into.
struct Vectors {
  Vectors(const Shape& shape, int n, Count count, bool copy_to_result) {
    for (int rank = 0; rank < n; ++rank) {
      send.emplace_back(shape, count);
      recv.emplace_back(shape, count);
      for (Count i = 0; i < count; ++i) {
        send.back().set(i, value(rank, 0, i));
        if (copy_to_result) recv.back().set(i, value(rank, 0, i));
      }
    }
  }
  Buffer& in(int rank) { return send[static_cast<std::size_t>(rank)]; }
  Buffer& out(int rank) { return recv[static_cast<std::size_t>(rank)]; }
  std::vector<Buffer> send, recv;
};

// The definition: what the elements of ranks 0 ... last combine to.
class Expected {
 public:
  Expected(const Reduction& reduction, int n, Count count) : count_(count) {
    for (int rank = 0; rank < n; ++rank)
      for (Count i = 0; i < count; ++i)
        prefixes_.push_back(rank == 0 ? value(0, 0, i) : reduction.combine(of(rank - 1, i), value(rank, 0, i)));
  }
  Affine of(int last, Count i) const { return prefixes_[static_cast<std::size_t>(last * count_ + i)]; }

 private:
  Count count_;
  std::vector<Affine> prefixes_;
};

Count random_count(std::mt19937& random) {
  constexpr Count kCounts[] = {0, 1, 2, 5, 33, 64, 200, 700};
  return kCounts[pick(random, 0, 7)];
}

std::vector<const Reduction*> reductions_for(bool any_order_only) {
  if (any_order_only) return {&addition()};
  return {&composition(), &addition()};
}

void test_reduce(const Algorithm<ReduceArgs>& algorithm, const std::vector<int>& list) {
  for (const Reduction* reduction : reductions_for(algorithm.applies == commutes))
    for_all_sizes(list, [&](SimWorld& world, std::mt19937& random, const Shape& shape) {
      const int n = world.size(), root = pick(random, 0, n - 1);
      const Count count = random_count(random);
      const bool in_place = pick(random, 0, 1);
      Vectors vectors(shape, n, count, in_place);
      ASSERT_TRUE(run_algorithm(world, algorithm, [&](int rank) {
        const void* send = rank == root && in_place ? kInPlace : vectors.in(rank).address();
        return ReduceArgs{send, rank == root ? vectors.out(rank).address() : nullptr, count, shape.type.get(), reduction->op,
                          root};
      }));
      const Expected expected(*reduction, n, count);
      for (Count i = 0; i < count; ++i) ASSERT_EQ(vectors.out(root).get(i), expected.of(n - 1, i)) << "element " << i;
      ASSERT_TRUE(vectors.out(root).guarded());
      for (int rank = 0; rank < n; ++rank)
        for (Count i = 0; i < count; ++i) ASSERT_EQ(vectors.in(rank).get(i), value(rank, 0, i)) << "the input was changed";
    });
}
TEST(Reduce, Binomial) { test_reduce(*find(kReduce.intra, "binomial"), sizes()); }
TEST(Reduce, ReduceScatterGather) { test_reduce(*find(kReduce.intra, "reduce_scatter_gather"), sizes()); }

// Operations whose result everybody gets; `last(rank)` is the last rank that goes into the result, -1: none.
template <class Last>
void test_for_all(const Algorithm<ReduceArgs>& algorithm, const std::vector<int>& list, Last&& last) {
  for (const Reduction* reduction : reductions_for(algorithm.applies == commutes))
    for_all_sizes(list, [&](SimWorld& world, std::mt19937& random, const Shape& shape) {
      const int n = world.size();
      const Count count = random_count(random);
      const bool in_place = pick(random, 0, 1);
      Vectors vectors(shape, n, count, in_place);
      ASSERT_TRUE(run_algorithm(world, algorithm, [&](int rank) {
        const void* send = in_place ? kInPlace : vectors.in(rank).address();
        return ReduceArgs{send, vectors.out(rank).address(), count, shape.type.get(), reduction->op, 0};
      }));
      const Expected expected(*reduction, n, count);
      for (int rank = 0; rank < n; ++rank) {
        for (Count i = 0; i < count && last(rank, n) >= 0; ++i)
          ASSERT_EQ(vectors.out(rank).get(i), expected.of(last(rank, n), i)) << "rank " << rank << " element " << i;
        ASSERT_TRUE(vectors.out(rank).guarded());
        for (Count i = 0; i < count; ++i) ASSERT_EQ(vectors.in(rank).get(i), value(rank, 0, i)) << "the input was changed";
      }
    });
}
int all(int, int n) { return n - 1; }
int up_to(int rank, int) { return rank; }
int below(int rank, int) { return rank - 1; }

TEST(Allreduce, RecursiveDoubling) { test_for_all(*find(kAllreduce.intra, "recursive_doubling"), sizes(), all); }
TEST(Allreduce, ReduceScatterAllgather) { test_for_all(*find(kAllreduce.intra, "reduce_scatter_allgather"), sizes(), all); }
TEST(Allreduce, Ring) { test_for_all(*find(kAllreduce.intra, "ring"), sizes(40), all); }
TEST(Scan, RecursiveDoubling) { test_for_all(*find(kScan.intra, "recursive_doubling"), sizes(), up_to); }
TEST(Exscan, RecursiveDoubling) { test_for_all(*find(kExscan.intra, "recursive_doubling"), sizes(), below); }

// A thousand ranks with one element each.
TEST(Allreduce, OfAThousand) {
  SimWorld world(1000);
  Vectors vectors(dense(), 1000, 1, false);
  ASSERT_TRUE(run_algorithm(world, *find(kAllreduce.intra, "recursive_doubling"), [&](int rank) {
    return ReduceArgs{vectors.in(rank).address(), vectors.out(rank).address(), 1, dense().type.get(), composition().op, 0};
  }));
  const Expected expected(composition(), 1000, 1);
  for (int rank = 0; rank < 1000; ++rank) ASSERT_EQ(vectors.out(rank).get(0), expected.of(999, 0));
}

void test_reduce_scatter(const Algorithm<ReduceScatterArgs>& algorithm, bool equal, const std::vector<int>& list) {
  for (const Reduction* reduction : reductions_for(algorithm.applies != nullptr))
    for_all_sizes(list, [&](SimWorld& world, std::mt19937& random, const Shape& shape) {
      const int n = world.size();
      const bool in_place = pick(random, 0, 1);
      const Count count = pick(random, 0, 5);
      std::vector<Count> counts, first{0};
      for (int rank = 0; rank < n; ++rank) {
        counts.push_back(equal ? count : pick(random, 0, 2) == 0 ? 0 : pick(random, 1, 9));
        first.push_back(first.back() + counts.back());
      }
      Vectors vectors(shape, n, first.back(), in_place);
      ASSERT_TRUE(run_algorithm(world, algorithm, [&](int rank) {
        const void* send = in_place ? kInPlace : vectors.in(rank).address();
        return ReduceScatterArgs{send,
                                 vectors.out(rank).address(),
                                 count,
                                 equal ? CountArray() : CountArray(counts.data()),
                                 shape.type.get(),
                                 reduction->op};
      }));
      const Expected expected(*reduction, n, first.back());
      for (int rank = 0; rank < n; ++rank) {
        const auto r = static_cast<std::size_t>(rank);
        for (Count i = 0; i < counts[r]; ++i)
          ASSERT_EQ(vectors.out(rank).get(i), expected.of(n - 1, first[r] + i)) << "rank " << rank << " element " << i;
        ASSERT_TRUE(vectors.out(rank).guarded());
      }
    });
}
TEST(ReduceScatter, Noncommutative) { test_reduce_scatter(*find(kReduceScatter.intra, "noncommutative"), false, sizes(40)); }
TEST(ReduceScatter, Pairwise) { test_reduce_scatter(*find(kReduceScatter.intra, "pairwise"), false, sizes(40)); }
TEST(ReduceScatter, RecursiveHalving) { test_reduce_scatter(*find(kReduceScatter.intra, "recursive_halving"), false, sizes()); }
TEST(ReduceScatterBlock, Noncommutative) {
  test_reduce_scatter(*find(kReduceScatter.intra, "noncommutative"), true, sizes(40));
}
TEST(ReduceScatterBlock, Pairwise) { test_reduce_scatter(*find(kReduceScatter.intra, "pairwise"), true, sizes(40)); }
TEST(ReduceScatterBlock, RecursiveHalving) {
  test_reduce_scatter(*find(kReduceScatter.intra, "recursive_halving"), true, sizes());
}

}  // namespace
}  // namespace starling::coll::test
