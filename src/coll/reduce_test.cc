// SPDX-License-Identifier: BSD-3-Clause
// Every algorithm of the reductions against the definition, for many numbers of ranks, with and without commutativity.
#include "coll/reduce/reduce.h"

#include <cmath>

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

Count random_count(std::mt19937& random, int ranks) {
  constexpr Count kCounts[] = {0, 1, 2, 5, 33, 64, 200, 700};
  return ranks < kMany ? kCounts[pick(random, 0, 7)] : pick(random, 1, 3);
}

const std::vector<const Reduction*>& reductions() {
  static const std::vector<const Reduction*> list{&composition(), &addition()};
  return list;
}

void test_reduce(const Algorithm<ReduceArgs>& algorithm, const std::vector<int>& list) {
  for (const Reduction* reduction : reductions())
    for_all_sizes(list, [&](SimWorld& world, std::mt19937& random, const Shape& shape) {
      const int n = world.size(), root = pick(random, 0, n - 1);
      const Count count = random_count(random, n);
      const bool in_place = pick(random, 0, 1);
      Vectors vectors(shape, n, count, in_place);
      auto args = [&](int rank) {
        const void* send = rank == root && in_place ? kInPlace : vectors.in(rank).address();
        return ReduceArgs{send, rank == root ? vectors.out(rank).address() : nullptr, count, shape.type.get(), reduction->op,
                          root};
      };
      if (!testable(world, algorithm, args(0))) return;
      ASSERT_TRUE(run_algorithm(world, algorithm, args));
      const Expected expected(*reduction, n, count);
      for (Count i = 0; i < count; ++i) ASSERT_EQ(vectors.out(root).get(i), expected.of(n - 1, i)) << "element " << i;
      ASSERT_TRUE(vectors.out(root).guarded());
      for (int rank = 0; rank < n; ++rank)
        for (Count i = 0; i < count; ++i) ASSERT_EQ(vectors.in(rank).get(i), value(rank, 0, i)) << "the input was changed";
    });
}
TEST(Reduce, EveryAlgorithm) {
  for_all_algorithms(kReduce.intra, [](const auto& algorithm) { test_reduce(algorithm, with_thousands(sizes())); });
}

// Operations whose result everybody gets; `last(rank)` is the last rank that goes into the result, -1: none.
template <class Last>
void test_for_all(const Algorithm<ReduceArgs>& algorithm, const std::vector<int>& list, Last&& last) {
  for (const Reduction* reduction : reductions())
    for_all_sizes(list, [&](SimWorld& world, std::mt19937& random, const Shape& shape) {
      const int n = world.size();
      const Count count = random_count(random, n);
      const bool in_place = pick(random, 0, 1);
      Vectors vectors(shape, n, count, in_place);
      auto args = [&](int rank) {
        const void* send = in_place ? kInPlace : vectors.in(rank).address();
        return ReduceArgs{send, vectors.out(rank).address(), count, shape.type.get(), reduction->op, 0};
      };
      if (!testable(world, algorithm, args(0))) return;
      ASSERT_TRUE(run_algorithm(world, algorithm, args));
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

TEST(Allreduce, EveryAlgorithm) {
  for_all_algorithms(kAllreduce.intra, [](const auto& algorithm) { test_for_all(algorithm, with_thousands(sizes()), all); });
}
// Floating-point sums depend on how they are put together; but all ranks must get the same.
TEST(Allreduce, RoundsAlikeOnAllRanks) {
  for_all_algorithms(kAllreduce.intra, [](const auto& algorithm) {
    for (int n : {2, 3, 4, 5, 7, 11, 16, 23, 33, 64}) {
      const std::shared_ptr<SimWorld> world = make_world(n);
      std::mt19937 random(static_cast<unsigned>(n));
      constexpr std::size_t kCount = 37;
      std::vector<std::vector<double>> in(static_cast<std::size_t>(n)), out(in.size(), std::vector<double>(kCount));
      for (auto& vector : in)
        for (std::size_t i = 0; i < kCount; ++i) vector.push_back(std::ldexp(pick(random, -1000, 1000), pick(random, -60, 60)));
      auto args = [&](int rank) {
        const auto r = static_cast<std::size_t>(rank);
        return ReduceArgs{in[r].data(), out[r].data(), kCount, predefined_datatype(kCodeDouble), predefined_op(kCodeSum), 0};
      };
      if (!applies(*world, algorithm, args(0))) continue;
      ASSERT_TRUE(run_algorithm(*world, algorithm, args));
      for (const auto& result : out) ASSERT_EQ(result, out[0]) << n << " ranks";
    }
  });
}
TEST(Scan, EveryAlgorithm) {
  for_all_algorithms(kScan.intra, [](const auto& algorithm) { test_for_all(algorithm, with_thousands(sizes()), up_to); });
}
TEST(Exscan, EveryAlgorithm) {
  for_all_algorithms(kExscan.intra, [](const auto& algorithm) { test_for_all(algorithm, with_thousands(sizes()), below); });
}

void test_reduce_scatter(const Algorithm<ReduceScatterArgs>& algorithm, bool equal, const std::vector<int>& list) {
  for (const Reduction* reduction : reductions())
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
      auto args = [&](int rank) {
        const void* send = in_place ? kInPlace : vectors.in(rank).address();
        return ReduceScatterArgs{send,
                                 vectors.out(rank).address(),
                                 count,
                                 equal ? CountArray() : CountArray(counts.data()),
                                 shape.type.get(),
                                 reduction->op};
      };
      if (!testable(world, algorithm, args(0))) return;
      ASSERT_TRUE(run_algorithm(world, algorithm, args));
      const Expected expected(*reduction, n, first.back());
      for (int rank = 0; rank < n; ++rank) {
        const auto r = static_cast<std::size_t>(rank);
        for (Count i = 0; i < counts[r]; ++i)
          ASSERT_EQ(vectors.out(rank).get(i), expected.of(n - 1, first[r] + i)) << "rank " << rank << " element " << i;
        ASSERT_TRUE(vectors.out(rank).guarded());
      }
    });
}
TEST(ReduceScatter, EveryAlgorithm) {
  for_all_algorithms(kReduceScatter.intra, [](const auto& algorithm) {
    for (bool equal : {false, true}) test_reduce_scatter(algorithm, equal, sizes());
  });
}

}  // namespace
}  // namespace starling::coll::test
