// SPDX-License-Identifier: BSD-3-Clause
#include "launch/binding.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace starling::launch {
namespace {

// Two sockets of EPYC 7551: each four NUMA nodes of two L3 caches with four cores of two threads. As on the real machine, the
// second threads are processors 64 and up.
Topology dual_epyc_7551() { return describe_topology("pack:2 group:4 [numa] l3:2 core:4 pu:2(indexes=2*64:64*1)", ""); }
Topology dual_xeon_8280() { return describe_topology("pack:2 [numa] l3:1 l2:28 core:1 pu:2(indexes=2*56:56*1)", ""); }
Topology dual_power9() { return describe_topology("pack:2 [numa] core:20 pu:4", ""); }

Binding bind(const Topology& topology, int ranks, BindingRequest request) { return bind_ranks(topology, ranks, request); }
BindingRequest policy(const char* name, const char* level = "core") {
  BindingRequest request;
  request.policy = name;
  request.level = level;
  return request;
}
BindingRequest hybrid(const char* name, int threads) {
  BindingRequest request;
  request.policy = "hybrid";
  request.hybrid_policy = name;
  request.threads = threads;
  return request;
}
std::vector<std::string> texts(const Binding& binding) {
  std::vector<std::string> lists;
  for (const RankBinding& rank : binding.ranks) lists.push_back(processor_list_text(rank.processors));
  return lists;
}
using Texts = std::vector<std::string>;

TEST(Topology, DescribedMachines) {
  Topology epyc = dual_epyc_7551();
  EXPECT_EQ(epyc.count[kHwthread], 128);
  EXPECT_EQ(epyc.count[kCore], 64);
  EXPECT_EQ(epyc.count[kL3], 16);
  EXPECT_EQ(epyc.count[kNuma], 8);
  EXPECT_EQ(epyc.count[kSocket], 2);
  EXPECT_EQ(dual_power9().count[kCore], 40);
  EXPECT_EQ(dual_xeon_8280().count[kCore], 56);
  EXPECT_THROW(describe_topology("nonsense:x", ""), Error);
}

TEST(Topology, ProcessorLists) {
  EXPECT_EQ(parse_processor_list("0,2-4"), (std::vector<int>{0, 2, 3, 4}));
  EXPECT_EQ(processor_list_text({4, 3, 2, 0}), "0,2-4");
  EXPECT_EQ(processor_list_text({}), "");
  for (const char* bad : {"", "a", "1,", "3-1", "-1", "1;2"}) EXPECT_THROW(parse_processor_list(bad), Error) << bad;
}

TEST(Binding, BunchFillsCoresInOrder) {
  Binding binding = bind(dual_epyc_7551(), 4, policy("bunch"));
  EXPECT_EQ(texts(binding), (Texts{"0,64", "1,65", "2,66", "3,67"}));
  binding = bind(dual_epyc_7551(), 64, policy("bunch"));
  EXPECT_EQ(texts(binding).back(), "63,127");
  EXPECT_EQ(binding.ranks.back().ranks_per_core, 1u);
}

TEST(Binding, ScatterDealsToSockets) {
  EXPECT_EQ(texts(bind(dual_xeon_8280(), 4, policy("scatter"))), (Texts{"0,56", "28,84", "1,57", "29,85"}));
  EXPECT_EQ(texts(bind(dual_power9(), 3, policy("scatter"))), (Texts{"0-3", "80-83", "4-7"}));
}

TEST(Binding, SocketLevel) {
  Binding bunch = bind(dual_xeon_8280(), 30, policy("bunch", "socket"));
  EXPECT_EQ(texts(bunch)[0], "0-27,56-83");
  EXPECT_EQ(texts(bunch)[27], "0-27,56-83");
  EXPECT_EQ(texts(bunch)[28], "28-55,84-111");
  EXPECT_EQ(texts(bind(dual_xeon_8280(), 2, policy("scatter", "socket"))), (Texts{"0-27,56-83", "28-55,84-111"}));
}

TEST(Binding, NumaLevel) {
  Binding scatter = bind(dual_epyc_7551(), 9, policy("scatter", "numanode"));
  EXPECT_EQ(texts(scatter)[0], "0-7,64-71");
  EXPECT_EQ(texts(scatter)[1], "8-15,72-79");
  EXPECT_EQ(texts(scatter)[8], "0-7,64-71");
  EXPECT_EQ(texts(bind(dual_epyc_7551(), 9, policy("bunch", "numanode")))[8], "8-15,72-79");
}

// The example of the tutorials: 16 ranks of 4 threads on two EPYC 7551.
TEST(Binding, HybridPoliciesOnEpyc) {
  Topology epyc = dual_epyc_7551();
  EXPECT_EQ(texts(bind(epyc, 16, hybrid("linear", 4)))[1], "4-7,68-71");
  EXPECT_EQ(texts(bind(epyc, 16, hybrid("numa", 4)))[1], "8-11,72-75");
  EXPECT_EQ(texts(bind(epyc, 16, hybrid("numa", 4)))[8], "4-7,68-71");
  EXPECT_EQ(texts(bind(epyc, 16, hybrid("scatter", 4)))[1], "32-35,96-99");
  EXPECT_EQ(texts(bind(epyc, 16, hybrid("compact", 4)))[1], "2,3,66,67");
  EXPECT_EQ(texts(bind(epyc, 16, hybrid("spread", 2)))[1], "4,5,68,69");
  EXPECT_EQ(texts(bind(epyc, 16, hybrid("spread", 0)))[15], "60-63,124-127");
  // Three threads: two blocks fit into a node of eight cores, the third starts in the next one.
  EXPECT_EQ(texts(bind(epyc, 3, hybrid("bunch", 3))), (Texts{"0-2,64-66", "3-5,67-69", "8-10,72-74"}));
}

TEST(Binding, HybridOnPower9) {
  EXPECT_EQ(texts(bind(dual_power9(), 2, hybrid("linear", 2))), (Texts{"0-7", "8-15"}));
  EXPECT_EQ(texts(bind(dual_power9(), 3, hybrid("compact", 2))), (Texts{"0,1", "2,3", "4,5"}));
}

TEST(Binding, PivotCore) {
  BindingRequest request = hybrid("linear", 1);
  request.pivot_core = 39;
  EXPECT_EQ(texts(bind(dual_power9(), 2, request)), (Texts{"156-159", "0-3"}));
}

TEST(Binding, ThreadsWithoutPolicyGetRoom) {
  BindingRequest request;
  request.threads = 2;
  EXPECT_EQ(texts(bind(dual_power9(), 2, request)), (Texts{"0-7", "8-15"}));
}

TEST(Binding, MoreRanksThanCoresAreNotBound) {
  Binding binding = bind(dual_power9(), 81, policy("bunch"));
  EXPECT_EQ(texts(binding)[0], "");
  EXPECT_EQ(binding.ranks[0].ranks_per_core, 3u);
  binding = bind(dual_power9(), 16, hybrid("linear", 4));
  EXPECT_EQ(texts(binding)[0], "");
  EXPECT_EQ(binding.ranks[0].ranks_per_core, 1u);
}

TEST(Binding, Disabled) {
  BindingRequest request;
  request.enabled = false;
  EXPECT_EQ(texts(bind(dual_power9(), 2, request)), (Texts{"", ""}));
}

TEST(Binding, Mapping) {
  BindingRequest request;
  request.mapping = "0,2-4:1:5:6";
  Binding binding = bind(dual_xeon_8280(), 5, request);
  EXPECT_EQ(texts(binding), (Texts{"0,2-4", "1", "5", "6", "0,2-4"}));
  request.mapping = "0:200";
  EXPECT_THROW(bind(dual_xeon_8280(), 2, request), Error);
  request.mapping = "0:0:0";
  EXPECT_EQ(bind(dual_xeon_8280(), 3, request).ranks[1].ranks_per_core, 3u);
}

TEST(Binding, HydraObjects) {
  auto bound = [](const Topology& topology, int ranks, const char* bind_to, const char* map_by) {
    BindingRequest request;
    request.bind_to = bind_to;
    request.map_by = map_by;
    return texts(bind(topology, ranks, request));
  };
  Topology xeon = dual_xeon_8280();
  EXPECT_EQ(bound(xeon, 2, "core", ""), (Texts{"0,56", "1,57"}));
  EXPECT_EQ(bound(xeon, 2, "core:2", ""), (Texts{"0,1,56,57", "2,3,58,59"}));
  EXPECT_EQ(bound(xeon, 4, "core", "socket"), (Texts{"0,56", "28,84", "1,57", "29,85"}));
  EXPECT_EQ(bound(xeon, 2, "hwthread", ""), (Texts{"0", "56"}));
  EXPECT_EQ(bound(xeon, 3, "socket", ""), (Texts{"0-27,56-83", "28-55,84-111", "0-27,56-83"}));
  EXPECT_EQ(bound(xeon, 2, "socket", "core"), (Texts{"0-27,56-83", "0-27,56-83"}));
  EXPECT_EQ(bound(dual_epyc_7551(), 2, "l3cache", "numa"), (Texts{"0-3,64-67", "8-11,72-75"}));
  EXPECT_EQ(bound(xeon, 3, "user:0+1,5", ""), (Texts{"0,1", "5", "0,1"}));
  EXPECT_EQ(bound(xeon, 1, "none", ""), (Texts{""}));
  EXPECT_THROW(bound(xeon, 1, "banana", ""), Error);
  EXPECT_THROW(bound(xeon, 1, "core:0", ""), Error);
}

TEST(Binding, UnknownNames) {
  EXPECT_THROW(bind(dual_power9(), 2, policy("banana")), Error);
  EXPECT_THROW(bind(dual_power9(), 2, policy("bunch", "banana")), Error);
  EXPECT_THROW(bind(dual_power9(), 2, hybrid("banana", 1)), Error);
}

TEST(Binding, Table) {
  Topology power9 = dual_power9();
  std::string table = binding_table(power9, bind(power9, 2, policy("scatter")), 0);
  EXPECT_NE(table.find("-CPU AFFINITY-"), std::string::npos);
  EXPECT_NE(table.find("1       80-83                   1         1       1\n"), std::string::npos) << table;
}

}  // namespace
}  // namespace starling::launch
