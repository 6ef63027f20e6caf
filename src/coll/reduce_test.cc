// SPDX-License-Identifier: BSD-3-Clause
// Every algorithm of the reductions against the definition, for many numbers of ranks, with and without commutativity.
#include "coll/reduce/reduce.h"

#include <cmath>
#include <cstring>

#include "coll/allreduce/allreduce.h"
#include "coll/fold.h"
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
// MVP_REPRODUCIBLE: the same bits from every algorithm that may be chosen then, for any root and placement of the ranks, by one
// definition: the canonical order.
class Adverse {
 public:
  static constexpr Count kCount = 83;
  explicit Adverse(int n) : ranks_(n) {
    std::mt19937 random(static_cast<unsigned>(n));
    for (auto* op : {&sum(), &minimum()})
      for (int rank = 0; rank < n; ++rank) {
        std::vector<double> vector;
        for (Count i = 0; i < kCount; ++i) {
          const double zero = pick(random, 0, 1) ? 0.0 : -0.0;  // to which of the two the minimum is, is a matter of order
          vector.push_back(op == &sum() ? std::ldexp(pick(random, -1000, 1000), pick(random, -60, 60)) : zero);
        }
        in_[op == &sum()].push_back(vector);
      }
  }
  static const Op& sum() { return *predefined_op(kCodeSum); }
  static const Op& minimum() { return *predefined_op(kCodeMin); }
  const std::vector<std::vector<double>>& in(const Op& op) const { return in_[&op == &sum()]; }
  std::vector<double> expected(const Op& op) const {
    auto all = in(op);
    in_canonical_order(ranks_, [&](int lower, int higher) {
      const auto& a = all[static_cast<std::size_t>(lower)];
      auto& b = all[static_cast<std::size_t>(higher)];
      for (std::size_t i = 0; i < b.size(); ++i) b[i] = &op == &sum() ? a[i] + b[i] : a[i] < b[i] ? a[i] : b[i];
    });
    return all.back();
  }

 private:
  int ranks_;
  std::vector<std::vector<double>> in_[2];
};

bool same_bits(const std::vector<double>& a, const double* b, std::size_t n) {
  return std::memcmp(a.data(), b, n * sizeof(double)) == 0;
}

// A world where results shall be reproducible, and its ranks somehow on nodes.
std::shared_ptr<SimWorld> reproducible_world(int n, unsigned seed) {
  transport::SimOptions options = weather(seed);
  options.node_of = placement(n, seed);
  auto world = std::make_shared<SimWorld>(n, options);
  for (int rank = 0; rank < n; ++rank) world->worker(rank).reproducible = true;
  return world;
}

template <class Args>
bool eligible(SimWorld& world, const Algorithm<Args>& algorithm, const Args& args) {
  Run run(world.worker(0), 0, false);
  return applicable(algorithm, Ctx(run, world.comm(0)), args, Order::kAny);
}

// check(world, adverse, op) for many numbers of ranks and placements.
template <class Check>
void for_reproducible_worlds(Check&& check) {
  for (int n : {1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16, 23, 33, 64})
    for (unsigned seed = 0; seed < 4; ++seed) {
      const auto world = reproducible_world(n, seed);
      const Adverse adverse(n);
      for (const Op* op : {&Adverse::sum(), &Adverse::minimum()}) {
        SCOPED_TRACE(testing::Message() << n << " ranks, seed " << seed << ", operation " << op->code);
        check(*world, adverse, *op);
        if (testing::Test::HasFailure()) return;
      }
    }
}

TEST(Reproducible, Reductions) {
  Datatype* type = predefined_datatype(kCodeDouble);
  for (const auto* collective : {&kAllreduce, &kReduce}) {
    int eligible_ones = 0;
    for (const auto& algorithm : collective->intra) {
      SCOPED_TRACE(algorithm.name);
      bool ran = false;
      for_reproducible_worlds([&](SimWorld& world, const Adverse& adverse, const Op& op) {
        const int n = world.size();
        const bool in_place = n % 2;
        for (int root : {0, n / 2, n - 1}) {
          auto in = adverse.in(op);
          std::vector<std::vector<double>> out(in.size(), std::vector<double>(Adverse::kCount));
          auto args = [&](int rank) {
            const auto r = static_cast<std::size_t>(rank);
            const bool replaces = in_place && (collective == &kAllreduce || rank == root);
            return ReduceArgs{
                replaces ? kInPlace : in[r].data(), replaces ? in[r].data() : out[r].data(), Adverse::kCount, type, &op, root};
          };
          if (!eligible(world, algorithm, args(0))) return;
          ran = true;
          ASSERT_TRUE(run_algorithm(world, algorithm, args));
          const std::vector<double> expected = adverse.expected(op);
          for (int rank = 0; rank < n; ++rank) {
            if (collective == &kReduce && rank != root) continue;
            ASSERT_TRUE(same_bits(expected, static_cast<double*>(args(rank).recv), Adverse::kCount)) << "rank " << rank;
          }
        }
      });
      eligible_ones += ran;
    }
    EXPECT_GE(eligible_ones, 2) << name_of(collective->id);
  }
}

TEST(Reproducible, ReduceScatter) {
  Datatype* type = predefined_datatype(kCodeDouble);
  for_all_algorithms(kReduceScatter.intra, [&](const auto& algorithm) {
    for_reproducible_worlds([&](SimWorld& world, const Adverse& adverse, const Op& op) {
      std::vector<Count> counts, first{0};
      for (int rank = 0; rank < world.size(); ++rank) {
        counts.push_back(Adverse::kCount * (rank + 1) / world.size() - Adverse::kCount * rank / world.size());
        first.push_back(first.back() + counts.back());
      }
      auto in = adverse.in(op);
      std::vector<std::vector<double>> out(in.size(), std::vector<double>(Adverse::kCount));
      auto args = [&](int rank) {
        const auto r = static_cast<std::size_t>(rank);
        return ReduceScatterArgs{in[r].data(), out[r].data(), 0, CountArray(counts.data()), type, &op};
      };
      if (!eligible(world, algorithm, args(0))) return;
      ASSERT_TRUE(run_algorithm(world, algorithm, args));
      const auto expected = adverse.expected(op);
      for (std::size_t r = 0; r < in.size(); ++r) {
        const auto from = static_cast<std::ptrdiff_t>(first[r]);
        const std::vector<double> mine(expected.begin() + from,
                                       expected.begin() + from + static_cast<std::ptrdiff_t>(counts[r]));
        ASSERT_TRUE(same_bits(mine, out[r].data(), mine.size())) << "rank " << r;
      }
    });
  });
}

// Of scans there is one order for each rank, whatever the number of ranks and their placement.
TEST(Reproducible, ScansHaveOneAlgorithm) {
  const auto world = reproducible_world(9, 1);
  double in = 1, out = 0;
  const ReduceArgs args{&in, &out, 1, predefined_datatype(kCodeDouble), predefined_op(kCodeSum), 0};
  for (const auto* collective : {&kScan, &kExscan})
    for (const auto& algorithm : collective->intra)
      EXPECT_EQ(eligible(*world, algorithm, args), std::string(algorithm.name) == "recursive_doubling") << algorithm.name;
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
