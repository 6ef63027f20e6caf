// SPDX-License-Identifier: BSD-3-Clause
// What users say about algorithms: names, aliases, tables; and the model against the simulated network.
#include "coll/selection.h"

#include "coll/allreduce/allreduce.h"
#include "coll/alltoall/alltoall.h"
#include "coll/barrier/barrier.h"
#include "coll/bcast/bcast.h"
#include "coll/gather/gather.h"
#include "coll/model.h"
#include "coll/reduce/reduce.h"
#include "coll/scan/scan.h"
#include "coll/sim_test.h"

namespace starling::coll::test {
namespace {

template <class Args>
std::string meant(const Collective<Args>& collective, const char* name) {
  return named(collective.intra, collective.id, name, "X").name;
}

TEST(Selection, NamesOfOthersMeanOurAlgorithms) {
  EXPECT_EQ(meant(kBcast, "binomial"), "binomial");
  EXPECT_EQ(meant(kBcast, "sched_binomial"), "binomial");
  EXPECT_EQ(meant(kBcast, "osu_knomial"), "knomial");
  EXPECT_EQ(meant(kBcast, "tsp_tree"), "knomial");
  EXPECT_EQ(meant(kBcast, "tsp_ring"), "pipelined_chain");
  EXPECT_EQ(meant(kBcast, "smp"), "multi_endpoint_knomial");
  EXPECT_EQ(meant(kReduce, "sched_smp"), "two_level");
  EXPECT_EQ(meant(kAllreduce, "sched_smp"), "multi_leader");
  EXPECT_EQ(meant(kAllreduce, "tsp_recexch_single_buffer"), "recursive_multiplying");
  EXPECT_EQ(meant(kAllreduce, "tree"), "tree");
  EXPECT_EQ(meant(kAlltoall, "tsp_ring"), "pairwise");
  EXPECT_EQ(meant(kBarrier, "osu_pairwise"), "recexch");
  EXPECT_TRUE(is_auto("auto") && is_auto("") && is_auto("nb") && is_auto("sched_auto"));
  EXPECT_FALSE(is_auto("ring"));
}

std::string error_of(auto&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.message;
  }
  return "none";
}

TEST(Selection, AnUnknownNameIsAnErrorThatListsTheValidOnes) {
  EXPECT_EQ(error_of([] { named(kGather.intra, kGather.id, "binomal", "MVP_GATHER_INTRA_ALGORITHM"); }),
            "MVP_GATHER_INTRA_ALGORITHM: \"binomal\" is not an algorithm of gather; valid are auto, binomial, shared, direct, "
            "knomial, two_level, linear");
}

TEST(Selection, EverySettingHasItsName) {
  EXPECT_EQ(naming_setting(Id::kReduceScatterBlock, false, true).variable, "MVP_REDUCE_SCATTER_BLOCK_INTRA_ALGORITHM");
  EXPECT_EQ(naming_setting(Id::kBcast, true, false).variable, "MVP_IBCAST_INTER_ALGORITHM");
  EXPECT_EQ(naming_setting(Id::kScan, true, true).value, nullptr);
  const std::vector<SettingRow> rows = setting_rows();
  for (std::size_t id = 0; id < kIds; ++id) {
    EXPECT_EQ(id_of(name_of(static_cast<Id>(id))), static_cast<Id>(id));
    for (bool inter : {false, true})
      for (bool blocking : {false, true}) {
        const NamingSetting setting = naming_setting(static_cast<Id>(id), inter, blocking);
        if (!setting.value) continue;
        EXPECT_EQ(1, std::count_if(rows.begin(), rows.end(),
                                   [&](const SettingRow& row) { return "MVP_" + std::string(row.name) == setting.variable; }))
            << setting.variable;
      }
  }
}

TEST(Selection, TablesOfRules) {
  const auto rules = parse_rules(R"({"machine": "a test", "rules": [
      {"collective": "allreduce", "algorithm": "ring", "min_bytes": 1024, "max_bytes": 4096, "min_ranks": 3, "max_ranks": 9,
       "min_nodes": 2, "max_nodes": 5, "cores": "own", "comment": "measured"},
      {"collective": "bcast", "algorithm": "knomial"}]})",
                                 "table");
  ASSERT_EQ(rules.size(), 2u);
  EXPECT_EQ(rules[0].id, Id::kAllreduce);
  EXPECT_STREQ(rules[0].algorithm, "ring");
  EXPECT_EQ(rules[0].min_bytes, 1024);
  EXPECT_EQ(rules[0].max_bytes, 4096);
  EXPECT_EQ(rules[0].min_ranks, 3);
  EXPECT_EQ(rules[0].max_ranks, 9);
  EXPECT_EQ(rules[0].min_nodes, 2);
  EXPECT_EQ(rules[0].max_nodes, 5);
  EXPECT_EQ(rules[0].cores, Cores::kOwn);
  EXPECT_EQ(rules[1].max_bytes, kAnyBytes);
  EXPECT_EQ(rules[1].max_ranks, kAnyRanks);
}

TEST(Selection, MistakesInTablesAreTold) {
  auto error = [](const char* text) { return error_of([&] { parse_rules(text, "table"); }); };
  EXPECT_NE(error("{"), "none");
  EXPECT_NE(error("{}"), "none");
  EXPECT_EQ(error(R"({"rules": [{"collective": "reduse", "algorithm": "x"}]})"),
            "table: rule 1: \"reduse\" is not a collective");
  EXPECT_EQ(error(R"({"rules": [{"collective": "bcast"}]})"), "table: rule 1: has no collective or no algorithm");
  EXPECT_EQ(error(R"({"rules": [{"collective": "bcast", "algorithm": "ring", "max_byte": 1}]})"),
            "table: rule 1: \"max_byte\" is not a key of a rule");
  EXPECT_EQ(error(R"({"rules": [{"collective": "bcast", "algorithm": "ring", "cores": "two"}]})"),
            "table: rule 1: cores is \"two\", not any, own or shared");
}

TEST(Selection, RulesForSeveralNodes) {
  transport::SimOptions options;
  options.node_of = {0, 0, 0, 1, 1, 1};
  SimWorld world(6, options);
  coll::Run run(world.worker(0), 0, true);
  Ctx c(run, world.comm(0));
  EXPECT_STREQ(choose(kBarrier, c, BarrierArgs{}).name, "two_level");
  std::byte buffer[1];
  EXPECT_STREQ(choose(kBcast, c, BcastArgs{raw(buffer, 8), 0}).name, "multi_endpoint_hybrid");
}

// The model leaves p2p out and orders events differently, so it only comes near the simulated network.
TEST(Model, AgreesWithTheSimulatedNetwork) {
  for (int n : {2, 7, 16, 64}) {
    for (Count bytes : {Count{64}, Count{65536}}) {
      ModelOptions options;
      options.copy_gap = options.reduce_gap = 0;
      for (int rank = 0; rank < n; ++rank) options.node_of.push_back(rank / 4);
      Model model(n, options);
      std::vector<std::byte> in(static_cast<std::size_t>(bytes * n)), out(in.size() * static_cast<std::size_t>(n));
      for (const auto& algorithm : kAllreduce.intra) {
        SCOPED_TRACE(testing::Message() << algorithm.name << " " << n << " ranks " << bytes << " bytes");
        SimWorld world(n, options);
        auto args = [&](int rank) {
          return ReduceArgs{
              in.data(), out.data() + bytes * rank, bytes, predefined_datatype(kCodeByte), predefined_op(kCodeBor), 0};
        };
        if (!applies(world, algorithm, args(0))) continue;
        std::vector<Request*> requests;
        for (int rank = 0; rank < n; ++rank) requests.push_back(start_with(kTestOps, algorithm, world.comm(rank), args(rank)));
        ASSERT_TRUE(world.run(requests));
        finish(requests);
        const double predicted = model.time(algorithm, args(0)), simulated = world.network().latest();
        EXPECT_GT(predicted, 0.7 * simulated);
        EXPECT_LT(predicted, 1.3 * simulated);
        const Traffic expected = algorithm.traffic({n, bytes, 0, &nodes_of(world.comm(0))});
        EXPECT_EQ(model.sent().messages, expected.messages);
      }
    }
  }
}

// Tens of thousands of ranks take seconds.
TEST(Model, OfSixteenThousand) {
  Model model(16384);
  const ReduceArgs args{model_memory(), model_memory(), 8, predefined_datatype(kCodeByte), predefined_op(kCodeBor), 0};
  const transport::SimOptions costs;
  const double time = model.time(*find(kAllreduce.intra, "recursive_doubling"), args);
  EXPECT_EQ(model.sent().messages, 14 * 16384);
  EXPECT_NEAR(time, 14 * (costs.latency + 2 * costs.overhead), 0.2 * time);
}

}  // namespace
}  // namespace starling::coll::test
