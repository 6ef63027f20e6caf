// SPDX-License-Identifier: BSD-3-Clause
// Tuning while the job runs: the order of trials, the agreement of processes that have measured different times and whose
// messages come in any order, what is remembered, and the format in which it is saved.
#include "coll/tuning.h"

#include "coll/allreduce/allreduce.h"
#include "coll/alltoall/alltoall.h"
#include "coll/bcast/bcast.h"
#include "coll/gather/gather.h"
#include "coll/sim_test.h"

namespace starling::coll::test {
namespace {

TEST(Tuning, ClassesOfSizeLeaveNoGapAndEndAtPowersOfTwo) {
  EXPECT_EQ(size_class(0), 0);
  EXPECT_EQ(size_class(1), 0);
  for (int k = 1; k < 62; ++k) {
    EXPECT_EQ(size_class(Count{1} << k), k);
    EXPECT_EQ(size_class((Count{1} << k) + 1), k + 1);
    EXPECT_EQ(least_of_class(k), most_of_class(k - 1) + 1);
    EXPECT_EQ(size_class(least_of_class(k)), k);
  }
}

TEST(Tuning, EveryCandidateHasItsTurns) {
  Trial trial({{nullptr, "a"}, {nullptr, "b"}, {nullptr, "c"}});
  std::vector<int> calls(3), counted(3);
  for (int call = 0; call < Trial::kRounds * Trial::kCallsInRow * 3; ++call) {
    ASSERT_FALSE(trial.over());
    const Trial::Turn turn = trial.next();
    ++calls[turn.candidate];
    counted[turn.candidate] += turn.counts;
    trial.note(turn, static_cast<std::int64_t>(100 * turn.candidate) + call);
  }
  EXPECT_TRUE(trial.over());
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(calls[i], Trial::kRounds * Trial::kCallsInRow);
    EXPECT_EQ(counted[i], Trial::kRounds * (Trial::kCallsInRow - 1));
    EXPECT_EQ(trial.candidates()[i].times.size(), static_cast<std::size_t>(counted[i]));
  }
}

TEST(Tuning, TheFirstStaysUnlessAnotherIsClearlyFaster) {
  EXPECT_EQ(Trial::best({100, 96, 120}), 0u);
  EXPECT_EQ(Trial::best({100, 120, 90}), 2u);
  EXPECT_EQ(Trial::best({Trial::kNoTime, 120, 110}), 2u);
  EXPECT_EQ(Trial::best({100, Trial::kNoTime}), 0u);
  EXPECT_EQ(Trial::best({Trial::kNoTime, Trial::kNoTime}), 0u);
}

// Each process has its own opinion and its own weather. All must come to the decision that follows from the largest times.
TEST(Tuning, ProcessesAgreeInAnyWeather) {
  for (int n : {2, 3, 5, 8, 13, 64})
    for (unsigned seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE(testing::Message() << n << " ranks, seed " << seed);
      SimWorld world(n, weather(seed));
      std::mt19937 random(seed);
      std::vector<std::vector<std::int64_t>> times(static_cast<std::size_t>(n), std::vector<std::int64_t>(5));
      std::vector<std::int64_t> worst(5);
      for (auto& mine : times)
        for (std::size_t i = 0; i < mine.size(); ++i) {
          mine[i] = pick(random, 0, 9) == 0 ? Trial::kNoTime : pick(random, 1000, 100000);
          worst[i] = std::max(worst[i], mine[i]);
        }
      ASSERT_TRUE(
          run_algorithm(world, agreement(), [&](int rank) { return largest_of_all(times[static_cast<std::size_t>(rank)]); }));
      for (const auto& mine : times) EXPECT_EQ(Trial::best(mine), Trial::best(worst));
    }
}

// Whatever the addresses and roles of a process, it has the same candidates as the others, the rules' choice first.
TEST(Tuning, CandidatesAreTheSameEverywhere) {
  SimWorld world(6);
  std::vector<std::byte> in(1 << 20), out(6 << 20);
  auto names = [](const std::vector<Trial::Candidate>& candidates) {
    std::vector<std::string> list;
    for (const auto& candidate : candidates) list.emplace_back(candidate.name);
    return list;
  };
  std::vector<std::string> allreduce, gather;
  for (int rank = 0; rank < 6; ++rank) {
    coll::Run run(world.worker(rank), 0, true);
    const Ctx c(run, world.comm(rank));
    const ReduceArgs reduced{rank % 2 ? kInPlace : in.data(), out.data() + rank,       1 << 16,
                             predefined_datatype(kCodeByte),  predefined_op(kCodeBor), 0};
    const GatherArgs gathered{raw(in.data(), 1000), rank == 2 ? blocks(out.data(), 1000, byte_type()) : Blocks{}, 2, true};
    const auto these = names(candidates_of(kAllreduce, c, reduced, 16)), those = names(candidates_of(kGather, c, gathered, 10));
    if (rank == 0) allreduce = these, gather = those;
    EXPECT_EQ(these, allreduce);
    EXPECT_EQ(those, gather);
    EXPECT_STREQ(these.front().c_str(), look_up(kAllreduce, c, reduced).name);
  }
  EXPECT_GT(allreduce.size(), 2u);
  EXPECT_LE(allreduce.size(), 6u);
}

TEST(Tuning, WhatTheModelKnowsToBeSlowIsNotTried) {
  SimWorld world(64);
  coll::Run run(world.worker(0), 0, true);
  const Ctx c(run, world.comm(0));
  std::byte in[8], out[8];
  const ReduceArgs args{in, out, 8, predefined_datatype(kCodeByte), predefined_op(kCodeBor), 0};
  bool doubling = false;
  for (const Trial::Candidate& candidate : candidates_of(kAllreduce, c, args, 3)) {
    EXPECT_STRNE(candidate.name, "ring") << "126 steps instead of 6";
    doubling |= candidate.name == std::string("recursive_doubling");
  }
  EXPECT_TRUE(doubling);
}

TEST(Tuning, WhatWasFoundHoldsForItsSizeAndForCopiesOfTheCommunicator) {
  SimWorld world(4);
  Comm& comm = world.comm(1);
  coll::Run blocking(world.worker(1), 0, true), other(world.worker(1), 0, false);
  std::byte buffer[1];
  auto chosen = [&](Comm& on, coll::Run& run, Count bytes) {
    return std::string(look_up(kBcast, Ctx(run, on), BcastArgs{raw(buffer, bytes), 0}).name);
  };
  EXPECT_EQ(chosen(comm, blocking, 1000), "binomial");
  auto learned = std::make_shared<Learned>();
  learned->rules.push_back({Id::kBcast, "pipelined_chain", least_of_class(10), most_of_class(10), 4, 4, Cores::kOwn, 4, 4});
  comm.learned = learned;
  for (auto& plan : state_of(comm).plans) plan.reset();
  const int nodes = node_count(comm);
  learned->rules[0].min_nodes = learned->rules[0].max_nodes = nodes;
  EXPECT_EQ(chosen(comm, blocking, 512), "binomial");
  EXPECT_EQ(chosen(comm, blocking, 513), "pipelined_chain");
  EXPECT_EQ(chosen(comm, blocking, 1024), "pipelined_chain");
  EXPECT_EQ(chosen(comm, blocking, 1025), "binomial");
  EXPECT_EQ(chosen(comm, other, 1024), "binomial") << "only blocking calls are measured";
  const auto copy = Ref<Comm>::adopt(object::make_comm(kWorldContext + 8, world.worker(1), comm.group, {}, &comm));
  EXPECT_EQ(copy->learned, comm.learned);
  auto same = Ref<Group>::adopt(object::make_consecutive_group(0, 4, 1));
  const auto split = Ref<Comm>::adopt(object::make_comm(kWorldContext + 16, world.worker(1), std::move(same), {}, &comm));
  EXPECT_EQ(split->learned, comm.learned);
  auto fewer = Ref<Group>::adopt(object::make_consecutive_group(0, 3, 1));
  const auto part = Ref<Comm>::adopt(object::make_comm(kWorldContext + 24, world.worker(1), std::move(fewer), {}, &comm));
  EXPECT_EQ(part->learned, nullptr) << "its processes may have learned different things elsewhere";
}

TEST(Tuning, WhatIsSavedCanBeRead) {
  const Rule rules[] = {{Id::kBcast, "pipelined_chain", 513, 1024, 4, 4, Cores::kShared, 1, 1},
                        {Id::kAlltoall, "brucks", 0, kAnyBytes, 2, kAnyRanks}};
  const auto read = parse_rules(text_of(rules), "saved");
  ASSERT_EQ(read.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(read[i].id, rules[i].id);
    EXPECT_STREQ(read[i].algorithm, rules[i].algorithm);
    EXPECT_EQ(read[i].min_bytes, rules[i].min_bytes);
    EXPECT_EQ(read[i].max_bytes, rules[i].max_bytes);
    EXPECT_EQ(read[i].min_ranks, rules[i].min_ranks);
    EXPECT_EQ(read[i].max_ranks, rules[i].max_ranks);
    EXPECT_EQ(read[i].cores, rules[i].cores);
    EXPECT_EQ(read[i].min_nodes, rules[i].min_nodes);
    EXPECT_EQ(read[i].max_nodes, rules[i].max_nodes);
  }
}

}  // namespace
}  // namespace starling::coll::test
