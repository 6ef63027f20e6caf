// SPDX-License-Identifier: BSD-3-Clause
// The creation functions among several ranks.
#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "base/error.h"
#include "comm/agree.h"
#include "comm/create.h"
#include "comm/dup.h"
#include "comm/entry.gen.h"
#include "comm/ranks_test.h"
#include "comm/topology.h"
#include "p2p/request.h"

namespace starling::comm {
namespace {

using test::run_ranks;

// Every member has the same context, different from that of its parent; ranks and sizes are as told.
void expect_sound(Comm* made, int rank, int size) {
  ASSERT_NE(made, nullptr);
  EXPECT_EQ(made->rank, rank);
  EXPECT_EQ(made->size, size);
  EXPECT_EQ(made->context & (Context{3} << 62 | 1), 0u);
  if (made->inter) return;
  std::vector<Context> contexts(static_cast<std::size_t>(size));
  contexts[static_cast<std::size_t>(rank)] = made->context;
  allgather(*made, creation_tag(*made), contexts.data(), sizeof(Context));
  for (Context context : contexts) EXPECT_EQ(context, made->context);
}

void expect_sound_inter(Comm* made, int rank, int size, int remote_size) {
  expect_sound(made, rank, size);
  EXPECT_TRUE(made->inter);
  EXPECT_EQ(made->remote_size, remote_size);
  expect_sound(made->local_comm.get(), rank, size);
  if (rank > 0) return;
  Context theirs = 0;
  exchange(*made, 0, &made->context, sizeof theirs, &theirs, sizeof theirs, 0);
  EXPECT_EQ(theirs, made->context);
}

// Even and odd ranks of the world as an intercommunicator.
Comm* halves(Comm& world) {
  Comm *half = nullptr, *inter = nullptr;
  comm_split(world, world.rank % 2, 0, half);
  intercomm_create(*half, 0, &world, 1 - world.rank % 2, 7, inter);
  comm_free(half);
  return inter;
}

TEST(Agree, BroadcastAndAllgather) {
  for (int n = 1; n <= 9; ++n)
    run_ranks(n, [n](Comm& world) {
      for (int root = 0; root < n; ++root) {
        int value = world.rank == root ? 100 + root : 0;
        broadcast(world, creation_tag(world), &value, sizeof value, root);
        EXPECT_EQ(value, 100 + root);
      }
      std::vector<int> values(static_cast<std::size_t>(n)), expected(values);
      std::iota(expected.begin(), expected.end(), 0);
      values[static_cast<std::size_t>(world.rank)] = world.rank;
      allgather(world, creation_tag(world), values.data(), sizeof(int));
      EXPECT_EQ(values, expected);
    });
}

TEST(Creation, DupAndFreeLeavesNothingBehind) {
  run_ranks(4, [](Comm& world) {
    std::vector<Context> seen;
    for (int i = 0; i < 200; ++i) {
      Comm* copy = nullptr;
      comm_dup(world, copy);
      EXPECT_EQ(copy->rank, world.rank);
      seen.push_back(copy->context);
      comm_free(copy);
    }
    std::sort(seen.begin(), seen.end());
    EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
  });
  EXPECT_EQ(comm_pool().live_count(), 0u);
  EXPECT_LE(group_pool().live_count(), 1u);  // MPI_GROUP_EMPTY
}

TEST(Creation, SeveralDuplicationsUnderWay) {
  run_ranks(5, [](Comm& world) {
    Duplication first(world), second(world), third(world);
    world.worker->wait([&] { return third.step(); });  // in any order
    world.worker->wait([&] { return first.step(); });
    world.worker->wait([&] { return second.step(); });
    for (Duplication* d : {&first, &second, &third}) expect_sound(&d->made(), world.rank, 5);
    EXPECT_NE(first.made().context, second.made().context);
  });
}

// All ranks in one thread: nothing may block.
TEST(Creation, IdupIsDrivenByProgress) {
  constexpr int kRanks = 6;
  std::vector<test::Mailbox> boxes(kRanks);
  std::deque<test::Rank> ranks;
  for (int r = 0; r < kRanks; ++r) ranks.emplace_back(r, kRanks, boxes);
  std::vector<Comm*> copies(2 * kRanks);
  std::vector<Request*> requests(2 * kRanks);
  for (std::size_t i = 0; i < copies.size(); ++i) comm_idup(*ranks[i % kRanks].world, copies[i], requests[i]);
  EXPECT_FALSE(requests[0]->complete && requests[1]->complete);  // one of the two at least waits for a message
  for (int pass = 0; pass < 10; ++pass)
    for (test::Rank& rank : ranks) rank.worker.progress();
  for (std::size_t i = 0; i < copies.size(); ++i) {
    ASSERT_TRUE(requests[i]->complete);
    Status status;
    EXPECT_TRUE(p2p::wait(*requests[i], status));
    EXPECT_EQ(status.error, kSuccess);
    EXPECT_EQ(copies[i]->context, copies[i < kRanks ? 0 : kRanks]->context);
  }
  EXPECT_NE(copies[0]->context, copies[kRanks]->context);
  for (Comm* copy : copies) comm_free(copy);
  for (const test::Rank& rank : ranks) EXPECT_EQ(p2p::live_requests(rank.worker), 0u);
}

TEST(Creation, SplitOrdersByKeyThenRank) {
  run_ranks(7, [](Comm& world) {
    Comm* made = nullptr;
    comm_split(world, world.rank % 2, -world.rank, made);
    int size = world.rank % 2 ? 3 : 4;
    expect_sound(made, size - 1 - world.rank / 2, size);
    comm_free(made);
    comm_split(world, world.rank == 3 ? kUndefined : 0, 0, made);
    if (world.rank == 3)
      EXPECT_EQ(made, nullptr);
    else
      expect_sound(made, world.rank < 3 ? world.rank : world.rank - 1, 6);
    if (made) comm_free(made);
    EXPECT_THROW(comm_split(world, -1, 0, made), Error);
  });
}

TEST(Creation, CreateFromDisjointGroups) {
  run_ranks(6, [](Comm& world) {
    Group *all = nullptr, *mine = nullptr;
    comm_group(world, all);
    int ranges[] = {world.rank < 4 ? 3 : 4, world.rank < 4 ? 0 : 5, world.rank < 4 ? -1 : 1};
    group_range_incl(*all, 1, ranges, mine);
    Comm* made = nullptr;
    comm_create(world, *mine, made);
    expect_sound(made, world.rank < 4 ? 3 - world.rank : world.rank - 4, world.rank < 4 ? 4 : 2);
    Comm* again = nullptr;
    comm_create_group(world, *mine, 5, again);
    expect_sound(again, made->rank, made->size);
    int result = 0;
    comm_compare(*made, *again, result);
    EXPECT_EQ(result, kCongruent);
    comm_free(again);
    comm_free(made);
    for (Group** group : {&all, &mine}) group_free(*group);
  });
}

TEST(Creation, OverlappingGroupsOneAfterTheOther) {
  run_ranks(3, [](Comm& world) {
    // {0, 1} then {0, 2}, with the same tag: rank 2 comes early.
    for (int other : {1, 2}) {
      if (world.rank != 0 && world.rank != other) continue;
      int ranks[] = {other, 0};
      Group* pair = nullptr;
      group_incl(*world.group, 2, ranks, pair);
      Comm* made = nullptr;
      comm_create_group(world, *pair, 0, made);
      expect_sound(made, world.rank == 0 ? 1 : 0, 2);
      comm_free(made);
      group_free(pair);
    }
  });
}

TEST(Creation, Intercommunicators) {
  run_ranks(5, [](Comm& world) {
    Comm* inter = halves(world);
    const int side = world.rank % 2, size = side ? 2 : 3;
    expect_sound_inter(inter, world.rank / 2, size, 5 - size);

    Comm *copy = nullptr, *merged = nullptr, *part = nullptr;
    comm_dup(*inter, copy);
    expect_sound_inter(copy, inter->rank, size, 5 - size);
    EXPECT_NE(copy->context, inter->context);
    intercomm_merge(*inter, side == 0, merged);
    expect_sound(merged, (side == 0 ? 2 : 0) + inter->rank, 5);
    comm_free(merged);
    intercomm_merge(*copy, true, merged);
    expect_sound(merged, merged->rank, 5);

    comm_split(*inter, inter->rank == 0 ? 1 : 2, 0, part);  // {0} | {1}, and {2, 4} | {3}
    expect_sound_inter(part, inter->rank == 2 ? 1 : 0, inter->rank == 0 || side ? 1 : 2, inter->rank == 0 || !side ? 1 : 2);
    comm_free(part);
    comm_split(*inter, side, 0, part);  // nobody on the other side
    EXPECT_EQ(part, nullptr);

    int last = size - 1;
    Group* group = nullptr;
    group_incl(*inter->group, 1, &last, group);
    comm_create(*inter, *group, part);
    if (inter->rank == last) expect_sound_inter(part, 0, 1, 1);
    if (part) comm_free(part);
    group_free(group);
    for (Comm** comm : {&copy, &merged, &inter}) comm_free(*comm);
  });
}

TEST(Creation, IntercommunicatorNeedsDisjointSides) {
  run_ranks(2, [](Comm& world) {
    Comm *copy = nullptr, *inter = nullptr;
    comm_dup(world, copy);
    EXPECT_THROW(intercomm_create(*copy, 0, &world, 5, 0, inter), Error);  // wrong remote leader
    EXPECT_THROW(intercomm_create(*copy, 0, &world, 0, 0, inter), Error);  // the leader itself
    EXPECT_THROW(intercomm_merge(*copy, false, inter), Error);
    comm_free(copy);
  });
}

TEST(Creation, DistributedGraphNamedByOneProcess) {
  run_ranks(4, [](Comm& world) {
    // A ring with weights, named by rank 2 alone.
    int sources[] = {0, 1, 2, 3}, degrees[] = {1, 1, 1, 1}, destinations[] = {1, 2, 3, 0}, weights[] = {10, 11, 12, 13};
    Comm* ring = nullptr;
    const int n = world.rank == 2 ? 4 : 0;
    dist_graph_create(world, n, sources, degrees, destinations, n ? weights : kWeightsEmpty, nullptr, false, ring);
    int in = 0, out = 0, source = -1, in_weight = -1, destination = -1, out_weight = -1;
    bool weighted = false;
    dist_graph_neighbors_count(*ring, in, out, weighted);
    EXPECT_EQ(in, 1);
    EXPECT_EQ(out, 1);
    EXPECT_TRUE(weighted);
    dist_graph_neighbors(*ring, 1, &source, &in_weight, 1, &destination, &out_weight);
    EXPECT_EQ(source, (world.rank + 3) % 4);
    EXPECT_EQ(destination, (world.rank + 1) % 4);
    EXPECT_EQ(in_weight, 10 + source);
    EXPECT_EQ(out_weight, 10 + world.rank);
    Comm* copy = nullptr;
    comm_dup(*ring, copy);
    EXPECT_EQ(topology(*copy).sources, topology(*ring).sources);
    comm_free(copy);
    comm_free(ring);
  });
}

TEST(Creation, CartesianSlices) {
  run_ranks(7, [](Comm& world) {
    int dims[] = {2, 3}, periods[] = {0, 1}, keep[] = {0, 1}, none[] = {0, 0}, too_many[] = {4, 2};
    Comm *grid = nullptr, *row = nullptr;
    EXPECT_THROW(cart_create(world, 2, too_many, periods, false, grid), Error);
    cart_create(world, 2, dims, periods, false, grid);
    EXPECT_EQ(grid == nullptr, world.rank == 6);
    if (!grid) return;
    cart_sub(*grid, keep, row);
    expect_sound(row, world.rank % 3, 3);
    EXPECT_EQ(topology(*row, kCart).dims, std::vector<int>{3});
    EXPECT_TRUE(topology(*row, kCart).periods[0]);
    comm_free(row);
    cart_sub(*grid, none, row);
    expect_sound(row, 0, 1);
    EXPECT_THROW(topology(*row, kGraph), Error);
    EXPECT_THROW(topology(world), Error);
    comm_free(row);
    comm_free(grid);
  });
}

TEST(Creation, SplitTypeOnOneMachine) {
  run_ranks(3, [](Comm& world) {
    Comm* made = nullptr;
    comm_split_type(world, kCommTypeShared, 0, nullptr, made);
    expect_sound(made, world.rank, 3);
    comm_free(made);
    comm_split_type(world, world.rank ? kUndefined : kCommTypeShared, 0, nullptr, made);
    EXPECT_EQ(made != nullptr, world.rank == 0);
    if (made) comm_free(made);
    comm_split_type(world, kCommTypeHwGuided, 0, nullptr, made);
    EXPECT_EQ(made, nullptr);
    auto info = Ref<Info>::adopt(info_pool().create());
    info->set("mpi_hw_resource_type", "mpi_shared_memory");
    comm_split_type(world, kCommTypeResourceGuided, -world.rank, info.get(), made);
    expect_sound(made, 2 - world.rank, 3);
    comm_free(made);
    EXPECT_THROW(comm_split_type(world, 12345, 0, nullptr, made), Error);
  });
}

// As many ranks as make tables longer than one eager message.
TEST(Creation, ManyRanks) {
  run_ranks(150, [](Comm& world) {
    Comm* made = nullptr;
    comm_split(world, 0, -world.rank, made);
    expect_sound(made, 149 - world.rank, 150);
    comm_free(made);
  });
}

}  // namespace
}  // namespace starling::comm
