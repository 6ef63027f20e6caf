// SPDX-License-Identifier: BSD-3-Clause
// Neighbourhood collectives against the definition, on Cartesian topologies with all kinds of borders and on graphs with
// repeated edges.
#include "coll/neighbor/neighbor.h"

#include <set>
#include <string_view>

#include "coll/sim_test.h"
#include "comm/topology.h"

namespace starling::coll::test {
namespace {

using Topologies = std::vector<Topology>;

struct Link {
  int rank, index;  // the index-th destination (source) of the rank
};

// Where the block that `rank` receives from its index-th source was sent. In a Cartesian topology the source's destination in
// the opposite direction; else, of the edges between the two, the one with the same number.
Link origin(const Topologies& all, int rank, int index) {
  const Topology& here = all[static_cast<std::size_t>(rank)];
  const int from = here.sources[static_cast<std::size_t>(index)];
  if (from == kProcNull) return {kProcNull, 0};
  if (here.kind == kCart) return {from, index ^ 1};
  int number = 0;
  for (int i = 0; i < index; ++i) number += here.sources[static_cast<std::size_t>(i)] == from;
  const auto& destinations = all[static_cast<std::size_t>(from)].destinations;
  for (std::size_t d = 0;; ++d)
    if (destinations[d] == rank && number-- == 0) return {from, static_cast<int>(d)};
}

// Edges that lead somewhere, and pairs of processes that they connect.
std::uint64_t edges(const Topologies& all) {
  std::uint64_t n = 0;
  for (const Topology& topology : all)
    for (int to : topology.destinations) n += to != kProcNull ? 1 : 0;
  return n;
}
std::uint64_t pairs(const Topologies& all) {
  std::uint64_t n = 0;
  for (const Topology& topology : all) {
    std::set<int> peers(topology.destinations.begin(), topology.destinations.end());
    peers.erase(kProcNull);
    n += peers.size();
  }
  return n;
}

void test_topology(const Topologies& all, const char* name) {
  const int n = static_cast<int>(all.size());
  transport::SimOptions options = weather(static_cast<unsigned>(n));
  options.eager_limit = 8192;  // every message is one
  SimWorld world(n, options);
  constexpr Count kCount = 3;
  std::vector<Buffer> one, many, gathered, exchanged;
  for (int rank = 0; rank < n; ++rank) {
    const Topology& here = all[static_cast<std::size_t>(rank)];
    world.comm(rank).topology = make_held<Topology>(here);
    const auto sources = static_cast<Count>(here.sources.size()), destinations = static_cast<Count>(here.destinations.size());
    one.emplace_back(gapped(), kCount);
    many.emplace_back(gapped(), kCount * destinations);
    gathered.emplace_back(gapped(), kCount * sources);
    exchanged.emplace_back(gapped(), kCount * sources);
    for (Count e = 0; e < kCount; ++e) one.back().set(e, value(rank, 0, e));
    for (Count d = 0; d < destinations; ++d)
      for (Count e = 0; e < kCount; ++e) many.back().set(d * kCount + e, value(rank, 1 + d, e));
  }
  const Datatype& type = *gapped().type;
  const std::uint64_t before = world.network().messages();
  ASSERT_TRUE(run_algorithm(world, *find(kNeighborAllgather.intra, name), [&](int rank) {
    const auto r = static_cast<std::size_t>(rank);
    return AllgatherArgs{one[r].data(), blocks(gathered[r].address(), kCount, type), static_cast<int>(all[r].sources.size())};
  }));
  const std::uint64_t between = world.network().messages();
  ASSERT_TRUE(run_algorithm(world, *find(kNeighborAlltoall.intra, name), [&](int rank) {
    const auto r = static_cast<std::size_t>(rank);
    return AlltoallArgs{blocks(many[r].address(), kCount, type), blocks(exchanged[r].address(), kCount, type),
                        static_cast<int>(all[r].destinations.size()), static_cast<int>(all[r].sources.size())};
  }));
  const std::uint64_t expected = std::string_view(name) == "combining" ? pairs(all) : edges(all);
  EXPECT_EQ(between - before, expected);
  EXPECT_EQ(world.network().messages() - between, expected);
  for (int rank = 0; rank < n; ++rank) {
    const auto r = static_cast<std::size_t>(rank);
    for (int i = 0; i < static_cast<int>(all[r].sources.size()); ++i) {
      const Link from = origin(all, rank, i);
      const bool border = from.rank == kProcNull;
      for (Count e = 0; e < kCount; ++e) {
        ASSERT_EQ(gathered[r].get(i * kCount + e), border ? Buffer::kNothing : value(from.rank, 0, e));
        ASSERT_EQ(exchanged[r].get(i * kCount + e), border ? Buffer::kNothing : value(from.rank, 1 + from.index, e));
      }
    }
    ASSERT_TRUE(gathered[r].guarded() && exchanged[r].guarded());
  }
}

TEST(Neighbor, Cartesian) {
  for (int a : {1, 2, 3, 4})
    for (int b : {1, 2, 3})
      for (int periods = 0; periods < 4; ++periods) {
        SCOPED_TRACE(testing::Message() << a << " x " << b << ", periods " << periods);
        Topologies all;
        for (int rank = 0; rank < a * b; ++rank)
          all.push_back(comm::make_cart({a, b}, {(periods & 1) != 0, (periods & 2) != 0}, rank));
        for (const char* name : {"linear", "combining"}) test_topology(all, name);
        if (HasFailure()) return;
      }
}

TEST(Neighbor, GraphsWithRepeatedEdges) {
  for (int n : {1, 2, 3, 7, 20, 41}) {
    SCOPED_TRACE(n);
    std::mt19937 random(static_cast<unsigned>(n));
    Topologies all(static_cast<std::size_t>(n));
    for (Topology& topology : all) topology.kind = kDistGraph;
    for (int edge = 0; edge < 4 * n; ++edge) {
      const int from = pick(random, 0, n - 1), to = pick(random, 0, n - 1);
      all[static_cast<std::size_t>(from)].destinations.push_back(to);
      all[static_cast<std::size_t>(to)].sources.push_back(from);
    }
    for (const char* name : {"linear", "combining"}) test_topology(all, name);
  }
}

}  // namespace
}  // namespace starling::coll::test
