// SPDX-License-Identifier: BSD-3-Clause
// What algorithms send, in messages and bytes, against the formulas beside them; and that mistakes in an algorithm are found.
#include <gtest/gtest-spi.h>

#include <cstdlib>
#include <numeric>

#include "coll/accumulator.h"
#include "coll/allgather/allgather.h"
#include "coll/allreduce/allreduce.h"
#include "coll/alltoall/alltoall.h"
#include "coll/barrier/barrier.h"
#include "coll/bcast/bcast.h"
#include "coll/gather/gather.h"
#include "coll/nodes.h"
#include "coll/reduce/reduce.h"
#include "coll/reduce_scatter/reduce_scatter.h"
#include "coll/scan/scan.h"
#include "coll/scatter/scatter.h"
#include "coll/sim_test.h"

namespace starling::coll::test {
namespace {

// Every message counts as one, whatever its length.
transport::SimOptions plain_network(int ranks) {
  transport::SimOptions options;
  options.eager_limit = std::size_t{1} << 40;
  options.node_of = placement(ranks, static_cast<unsigned>(ranks));
  return options;
}

std::vector<int> traffic_sizes() {
  std::vector<int> list;
  for (int n = 1; n <= 40; ++n) list.push_back(n);
  for (int n : {63, 64, 65, 70, 127, 128, 129}) list.push_back(n);
  return list;
}

constexpr Count kElement = 16;  // of dense()

// Runs the algorithm; `load` says what the formula is to be asked for.
template <class Args, class MakeArgs>
void expect_traffic(SimWorld& world, const Algorithm<Args>& algorithm, Load load, MakeArgs&& args) {
  if (!applies(world, algorithm, args(0))) return;
  SCOPED_TRACE(testing::Message() << algorithm.name << " of " << world.size() << " ranks");
  ASSERT_TRUE(algorithm.traffic) << "has no formula";
  load.nodes = &nodes_of(world.comm(0));
  const std::uint64_t messages = world.network().messages(), bytes = world.network().bytes();
  ASSERT_TRUE(run_algorithm(world, algorithm, args));
  const Traffic expected = algorithm.traffic(load);
  EXPECT_EQ(world.network().messages() - messages, static_cast<std::uint64_t>(expected.messages));
  EXPECT_EQ(world.network().bytes() - bytes, static_cast<std::uint64_t>(expected.bytes));
}

// How long the vector is: two elements for each rank, or as many as every cut of it divides.
enum class Length { kBlocks, kDivisible };
Count length_for(int ranks, Length length) {
  Count seats = 1;
  while (seats * 2 <= ranks) seats *= 2;
  return length == Length::kBlocks ? 2 * ranks : std::lcm(std::lcm<Count>(ranks, seats), 12);  // up to four leaders
}

// Calls make(world, algorithm, count, root, send, recv) for all numbers of ranks and all algorithms of a collective.
template <class Args, class MakeArgs>
void test_traffic(std::span<const Algorithm<Args>> list, Length length, MakeArgs&& make) {
  for (int n : traffic_sizes()) {
    SimWorld world(n, plain_network(n));
    std::mt19937 random(static_cast<unsigned>(n));
    const int root = pick(random, 0, n - 1);
    const Count count = length_for(n, length);
    Buffer send(dense(), count), recv(dense(), count);
    for (const auto& algorithm : list) make(world, algorithm, count, root, send, recv);
    if (testing::Test::HasFailure()) return;
  }
}

// Ranks may share buffers: only lengths are looked at.
TEST(Traffic, Barrier) {
  test_traffic(kBarrier.intra, Length::kBlocks, [](SimWorld& world, const auto& algorithm, Count, int, Buffer&, Buffer&) {
    expect_traffic(world, algorithm, {world.size(), 0}, [](int) { return BarrierArgs{}; });
  });
}
TEST(Traffic, Bcast) {
  test_traffic(kBcast.intra, Length::kDivisible,
               [](SimWorld& world, const auto& algorithm, Count count, int root, Buffer& data, Buffer&) {
                 expect_traffic(world, algorithm, {world.size(), count * kElement, root}, [&](int) {
                   return BcastArgs{data.data(), root};
                 });
               });
}
TEST(Traffic, Gather) {
  test_traffic(
      kGather.intra, Length::kBlocks, [](SimWorld& world, const auto& algorithm, Count, int root, Buffer& send, Buffer& recv) {
        expect_traffic(world, algorithm, {world.size(), 2 * kElement, root}, [&](int) {
          return GatherArgs{data(send.address(), 2, *dense().type), blocks(recv.address(), 2, *dense().type), root, true};
        });
      });
}
TEST(Traffic, Scatter) {
  test_traffic(
      kScatter.intra, Length::kBlocks, [](SimWorld& world, const auto& algorithm, Count, int root, Buffer& send, Buffer& recv) {
        expect_traffic(world, algorithm, {world.size(), 2 * kElement, root}, [&](int) {
          return ScatterArgs{blocks(send.address(), 2, *dense().type), data(recv.address(), 2, *dense().type), root, true};
        });
      });
}
TEST(Traffic, Allgather) {
  test_traffic(
      kAllgather.intra, Length::kBlocks,
      [](SimWorld& world, const auto& algorithm, Count count, int, Buffer& send, Buffer& recv) {
        expect_traffic(world, algorithm, {world.size(), count * kElement}, [&](int) {
          return AllgatherArgs{data(send.address(), 2, *dense().type), blocks(recv.address(), 2, *dense().type), world.size()};
        });
      });
}
TEST(Traffic, Alltoall) {
  for (bool in_place : {false, true})
    test_traffic(kAlltoall.intra, Length::kBlocks,
                 [&](SimWorld& world, const auto& algorithm, Count, int, Buffer& send, Buffer& recv) {
                   expect_traffic(world, algorithm, {world.size(), 2 * kElement}, [&](int) {
                     return AlltoallArgs{blocks(in_place ? kInPlace : send.address(), 2, *dense().type),
                                         blocks(recv.address(), 2, *dense().type), world.size(), world.size()};
                   });
                 });
}

template <class Args>
void test_reduction_traffic(const Collective<Args>& collective) {
  test_traffic(collective.intra, Length::kDivisible,
               [](SimWorld& world, const auto& algorithm, Count count, int root, Buffer& send, Buffer&) {
                 std::vector<Buffer> results(static_cast<std::size_t>(world.size()), Buffer(dense(), count));
                 expect_traffic(world, algorithm, {world.size(), count * kElement, root}, [&](int rank) {
                   return ReduceArgs{send.address(), results[static_cast<std::size_t>(rank)].address(),
                                     count,          dense().type.get(),
                                     addition().op,  root};
                 });
               });
}
TEST(Traffic, Reduce) { test_reduction_traffic(kReduce); }
TEST(Traffic, Allreduce) { test_reduction_traffic(kAllreduce); }
TEST(Traffic, Scan) { test_reduction_traffic(kScan); }
TEST(Traffic, Exscan) { test_reduction_traffic(kExscan); }
TEST(Traffic, ReduceScatter) {
  test_traffic(kReduceScatter.intra, Length::kBlocks,
               [](SimWorld& world, const auto& algorithm, Count count, int, Buffer& send, Buffer&) {
                 std::vector<Buffer> results(static_cast<std::size_t>(world.size()), Buffer(dense(), 2));
                 expect_traffic(world, algorithm, {world.size(), count * kElement}, [&](int rank) {
                   return ReduceScatterArgs{
                       send.address(), results[static_cast<std::size_t>(rank)].address(), 2, {}, dense().type.get(),
                       addition().op};
                 });
               });
}

// Mistakes of the kinds that are easily made; every one must be found by the tests that all algorithms have to pass.

// The operands the wrong way round.
Task swapped(Ctx c, ReduceArgs a) {
  Accumulator result(c, a.source(), a.in_place() ? nullptr : a.recv, a.count, *a.type, *a.op);
  for (int distance = 1; distance < c.size; distance *= 2) {
    const int partner = c.rank ^ distance;
    co_await c.sendrecv(result.current(), partner, result.incoming(), partner);
    result.absorb(partner > c.rank);
  }
  result.finish(a.recv);
}
// The last round is missing.
Task too_short(Ctx c, ReduceArgs a) {
  Accumulator result(c, a.source(), a.in_place() ? nullptr : a.recv, a.count, *a.type, *a.op);
  for (int distance = 1; 2 * distance < c.size; distance *= 2) {
    const int partner = c.rank ^ distance;
    co_await c.sendrecv(result.current(), partner, result.incoming(), partner);
    result.absorb(partner < c.rank);
  }
  result.finish(a.recv);
}
// Right, but everybody sends once more than the formula says.
Task chatty(Ctx c, ReduceArgs a) {
  co_await allreduce_recursive_doubling(c, a);
  if (c.size > 1) co_await c.sendrecv({}, (c.rank + 1) % c.size, {}, (c.rank - 1 + c.size) % c.size);
}
// Waits for a message that nobody sends.
Task waiting(Ctx c, ReduceArgs a) {
  co_await allreduce_recursive_doubling(c, a);
  if (c.rank == 0) co_await c.recv({}, c.size - 1);
}

// Whether an allreduce of 8 ranks is right and sends what the formula says.
void check_allreduce(Task (*run)(Ctx, ReduceArgs)) {
  const Algorithm<ReduceArgs> algorithm{"mutant", run, nullptr, allreduce_recursive_doubling_traffic};
  SimWorld world(8, plain_network(8));
  std::vector<Buffer> in, out;
  Affine expected{};
  for (int rank = 0; rank < 8; ++rank) {
    in.emplace_back(dense(), 1).set(0, value(rank, 0, 0));
    out.emplace_back(dense(), 1);
    expected = rank == 0 ? value(0, 0, 0) : compose(expected, value(rank, 0, 0));
  }
  expect_traffic(world, algorithm, {8, kElement}, [&](int rank) {
    const auto r = static_cast<std::size_t>(rank);
    return ReduceArgs{in[r].address(), out[r].address(), 1, dense().type.get(), composition().op, 0};
  });
  if (testing::Test::HasFailure()) return;
  for (Buffer& result : out) EXPECT_EQ(result.get(0), expected);
}

// How many failures the check reports, without failing itself.
int failures_of(Task (*run)(Ctx, ReduceArgs)) {
  testing::TestPartResultArray results;
  {
    testing::ScopedFakeTestPartResultReporter reporter(testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD,
                                                       &results);
    check_allreduce(run);
  }
  int failures = 0;
  for (int i = 0; i < results.size(); ++i) failures += results.GetTestPartResult(i).failed() ? 1 : 0;
  return failures;
}

TEST(Mutants, AreFound) {
  EXPECT_EQ(failures_of(allreduce_recursive_doubling), 0);
  EXPECT_GT(failures_of(swapped), 0);
  EXPECT_GT(failures_of(too_short), 0);
  EXPECT_GT(failures_of(chatty), 0);
  // In a process of its own, because nobody can take back what a deadlock leaves behind.
  EXPECT_EXIT(std::_Exit(failures_of(waiting) > 0 ? 0 : 1), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace starling::coll::test
