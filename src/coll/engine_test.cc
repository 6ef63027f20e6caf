// SPDX-License-Identifier: BSD-3-Clause
// The engine: border functions in their three forms, several operations at a time, errors, the choice of algorithms, deadlocks.
#include <algorithm>

#include "coll/allgather/allgather.h"
#include "coll/allreduce/allreduce.h"
#include "coll/alltoall/alltoall.h"
#include "coll/barrier/barrier.h"
#include "coll/bcast/bcast.h"
#include "coll/entry.gen.h"
#include "coll/gather/gather.h"
#include "coll/reduce/reduce.h"
#include "coll/reduce_scatter/reduce_scatter.h"
#include "coll/scan/scan.h"
#include "coll/scatter/scatter.h"
#include "coll/sim_test.h"
#include "p2p/entry.gen.h"
#include "p2p/job_test.h"

namespace starling::coll::test {
namespace {

constexpr int kRanks = 5;
Datatype& int64() { return *predefined_datatype(kCodeInt64T); }
Op& sum() { return *predefined_op(kCodeSum); }

using Numbers = std::vector<std::int64_t>;

void start_again(Request& request) {
  EXPECT_FALSE(request.active);
  request.active = true;
  request.ops->start(request);
}

TEST(Engine, ArraysOfTheCallerAreNotNeededAfterTheCall) {
  SimWorld world(kRanks);
  std::vector<Numbers> send(kRanks, Numbers(kRanks)), recv(kRanks, Numbers(kRanks, -1));
  std::vector<Request*> requests(kRanks);
  for (std::size_t rank = 0; rank < kRanks; ++rank) {
    for (std::size_t i = 0; i < kRanks; ++i) send[rank][i] = static_cast<std::int64_t>(100 * rank + i);
    std::vector<int> counts(kRanks, 1), places{0, 1, 2, 3, 4};
    alltoallv_init(send[rank].data(), counts.data(), places.data(), int64(), recv[rank].data(), counts.data(), places.data(),
                   int64(), world.comm(static_cast<int>(rank)), nullptr, requests[rank]);
    std::fill(counts.begin(), counts.end(), 2);
    std::fill(places.begin(), places.end(), 0);
    start_again(*requests[rank]);
  }
  ASSERT_TRUE(world.run(requests));
  for (std::size_t rank = 0; rank < kRanks; ++rank)
    for (std::size_t i = 0; i < kRanks; ++i) EXPECT_EQ(recv[rank][i], static_cast<std::int64_t>(100 * i + rank));
  std::vector<Request*> complete = requests;
  EXPECT_EQ(finish(complete), kSuccess);
  for (Request*& request : requests) p2p::request_free(request);
}

TEST(Engine, SeveralOperationsAtATime) {
  SimWorld world(kRanks, weather(2));
  constexpr int kAtATime = 20;
  std::vector<Numbers> in(kRanks, Numbers(kAtATime)), out(kRanks, Numbers(kAtATime));
  std::vector<Request*> requests;
  // Ranks are far apart: one has started all before the next begins.
  for (int rank = 0; rank < kRanks; ++rank)
    for (std::size_t i = 0; i < kAtATime; ++i) {
      auto& mine = in[static_cast<std::size_t>(rank)][i];
      auto& result = out[static_cast<std::size_t>(rank)][i];
      mine = rank + static_cast<std::int64_t>(i);
      Request*& request = requests.emplace_back();
      if (i % 3 == 0) iallreduce(&mine, &result, 1, int64(), sum(), world.comm(rank), request);
      if (i % 3 == 1) ibcast(&(result = mine), 1, int64(), static_cast<int>(i) % kRanks, world.comm(rank), request);
      if (i % 3 == 2) iscan(&mine, &result, 1, int64(), sum(), world.comm(rank), request);
    }
  ASSERT_TRUE(world.run(requests));
  EXPECT_EQ(finish(requests), kSuccess);
  for (int rank = 0; rank < kRanks; ++rank)
    for (int i = 0; i < kAtATime; ++i) {
      const int expected[] = {kRanks * i + kRanks * (kRanks - 1) / 2, i % kRanks + i, (rank + 1) * i + rank * (rank + 1) / 2};
      EXPECT_EQ(out[static_cast<std::size_t>(rank)][static_cast<std::size_t>(i)], expected[i % 3]) << rank << " " << i;
    }
}

TEST(Engine, PersistentOperationsRunAgain) {
  SimWorld world(kRanks, weather(5));
  Numbers in(kRanks), out(kRanks);
  std::vector<Request*> requests(kRanks);
  for (std::size_t rank = 0; rank < kRanks; ++rank)
    allreduce_init(&in[rank], &out[rank], 1, int64(), sum(), world.comm(static_cast<int>(rank)), nullptr, requests[rank]);
  for (int round = 0; round < 3; ++round) {
    for (std::size_t rank = 0; rank < kRanks; ++rank) {
      in[rank] = round + static_cast<int>(rank);
      start_again(*requests[rank]);
    }
    ASSERT_TRUE(world.run(requests));
    std::vector<Request*> running = requests;
    EXPECT_EQ(finish(running), kSuccess);
    EXPECT_EQ(out, Numbers(kRanks, kRanks * round + 10));
  }
  for (Request*& request : requests) p2p::request_free(request);
}

TEST(Engine, MismatchedCountsAreAnErrorOfTheReceiver) {
  SimWorld world(2);
  Numbers data(8);
  std::vector<Request*> requests(2);
  for (int rank = 0; rank < 2; ++rank)
    ibcast(data.data() + 4 * rank, rank == 0 ? 4 : 1, int64(), 0, world.comm(rank), requests[static_cast<std::size_t>(rank)]);
  ASSERT_TRUE(world.run(requests));
  EXPECT_EQ(requests[0]->status.error, kSuccess);
  EXPECT_EQ(requests[1]->status.error, kErrTruncate);
  finish(requests);
}

TEST(Engine, AMissingRankIsADeadlock) {
  SimWorld world(4);
  std::vector<Request*> requests(3);
  for (int rank = 0; rank < 3; ++rank) ibarrier(world.comm(rank), requests[static_cast<std::size_t>(rank)]);
  EXPECT_FALSE(world.run(requests));
  EXPECT_EQ(SimWorld::stuck(requests).size(), 3u);
  ibarrier(world.comm(3), requests.emplace_back());
  EXPECT_TRUE(world.run(requests));
  finish(requests);
}

int error_of(auto&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.error_class;
  }
  return kSuccess;
}

TEST(Engine, WrongArguments) {
  SimWorld world(2);
  Comm& comm = world.comm(0);
  std::int64_t a = 0, b = 0;
  Request* request;
  EXPECT_EQ(error_of([&] { ibcast(&a, 1, int64(), 2, comm, request); }), kErrRoot);
  EXPECT_EQ(error_of([&] { ibcast(&a, 1, int64(), kRoot, comm, request); }), kErrRoot);
  EXPECT_EQ(error_of([&] { ireduce(kInPlace, &b, 1, int64(), sum(), 1, comm, request); }), kErrBuffer);
  EXPECT_EQ(error_of([&] { iallreduce(&a, &a, 1, int64(), sum(), comm, request); }), kErrBuffer);
  EXPECT_EQ(
      error_of([&] { iallreduce(&a, &b, 1, *predefined_datatype(kCodeDouble), *predefined_op(kCodeBand), comm, request); }),
      kErrOp);
  EXPECT_EQ(error_of([&] { ineighbor_allgather(&a, 1, int64(), &b, 1, int64(), comm, request); }), kErrTopology);
}

TEST(Engine, RulesChooseByBytesAndRanks) {
  SimWorld world(8);
  coll::Run run(world.worker(0), 0, false);
  Ctx c(run, world.comm(0));
  std::byte buffer[1];
  auto chosen = [&](Count bytes) { return std::string(choose(kBcast, c, BcastArgs{raw(buffer, bytes), 0}).name); };
  EXPECT_EQ(chosen(8), "binomial");
  EXPECT_EQ(chosen(1 << 24), "scatter_ring_allgather");
  ReduceArgs args{buffer, buffer, 1 << 24, &int64(), composition().op, 0};
  EXPECT_STREQ(choose(kAllreduce, c, args).name, "reduce_scatter_allgather");  // a ring needs commutativity
}

// How often a rule of the collective names one of its algorithms.
template <class Args>
std::size_t good_rules(const Collective<Args>& collective) {
  return static_cast<std::size_t>(std::count_if(rules().begin(), rules().end(), [&](const Rule& rule) {
    return rule.id == collective.id && rule.min_bytes <= rule.max_bytes && rule.min_ranks <= rule.max_ranks &&
           find(collective.intra, rule.algorithm);
  }));
}
template <class... Collectives>
std::size_t all_good_rules(const Collectives&... collectives) {
  return (good_rules(collectives) + ...);
}

TEST(Engine, EveryRuleNamesAnAlgorithm) {
  EXPECT_EQ(rules().size(),
            all_good_rules(kBarrier, kBcast, kGather, kGatherv, kScatter, kScatterv, kAllgather, kAllgatherv, kAlltoall,
                           kAlltoallv, kAlltoallw, kReduce, kAllreduce, kReduceScatterBlock, kReduceScatter, kScan, kExscan));
}

// Costs follow the formulas: log2 p rounds of a message each.
TEST(Engine, SimulatedTimeFollowsTheCostFormula) {
  transport::SimOptions options;
  for (int n : {2, 16, 256}) {
    SimWorld world(n, options);
    std::vector<Request*> requests(static_cast<std::size_t>(n));
    for (int rank = 0; rank < n; ++rank) ibarrier(world.comm(rank), requests[static_cast<std::size_t>(rank)]);
    ASSERT_TRUE(world.run(requests));
    finish(requests);
    const int rounds = n == 2 ? 1 : n == 16 ? 4 : 8;
    EXPECT_EQ(world.network().messages(), static_cast<std::uint64_t>(rounds * n));
    EXPECT_NEAR(world.network().latest(), rounds * (options.latency + 2 * options.overhead), 1);
  }
}

// The blocking forms, between processes.
TEST(Engine, BlockingOperationsBetweenProcesses) {
  for (int n : {1, 2, 3, 5}) {
    starling::test::run_job(n, [](Comm& comm) {
      const std::int64_t size = comm.size, rank = comm.rank;
      for (int round = 0; round < 200; ++round) {
        std::int64_t mine = rank + round, total = 0;
        allreduce(&mine, &total, 1, int64(), sum(), comm);
        ASSERT_EQ(total, size * round + size * (size - 1) / 2);
        std::int64_t told = rank == round % size ? round : -1;
        bcast(&told, 1, int64(), round % comm.size, comm);
        ASSERT_EQ(told, round);
        barrier(comm);
      }
      for (Count count : {1000, 100000}) {
        Numbers in(static_cast<std::size_t>(count)), out(in);
        for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::int64_t>(i) * (rank + 1);
        allreduce(in.data(), out.data(), count, int64(), sum(), comm);
        for (std::size_t i = 0; i < in.size(); ++i) ASSERT_EQ(out[i], static_cast<std::int64_t>(i) * size * (size + 1) / 2);
        Numbers all(in.size() * static_cast<std::size_t>(size));
        allgather(in.data(), count, int64(), all.data(), count, int64(), comm);
        alltoall(kInPlace, 0, int64(), all.data(), count, int64(), comm);
        for (std::size_t r = 0; r < static_cast<std::size_t>(size); ++r)
          for (std::size_t i = 0; i < in.size(); ++i) ASSERT_EQ(all[r * in.size() + i], in[i]);
      }
    });
  }
}

}  // namespace
}  // namespace starling::coll::test
