// SPDX-License-Identifier: BSD-3-Clause
// Every algorithm of the collectives that move data, against the definition, for many numbers of ranks.
#include <algorithm>

#include "coll/allgather/allgather.h"
#include "coll/alltoall/alltoall.h"
#include "coll/barrier/barrier.h"
#include "coll/bcast/bcast.h"
#include "coll/gather/gather.h"
#include "coll/scatter/scatter.h"
#include "coll/sim_test.h"

namespace starling::coll::test {
namespace {

// Counts and displacements (in elements) of one block for each rank, with holes between and some blocks empty.
struct Cuts {
  std::vector<Count> counts, first;
  Count total = 1;
};
Cuts random_cuts(std::mt19937& random, int n, int longest) {
  Cuts cuts;
  for (int i = 0; i < n; ++i) {
    cuts.counts.push_back(pick(random, 0, 3) == 0 ? 0 : pick(random, 1, longest));
    cuts.first.push_back(cuts.total);
    cuts.total += cuts.counts.back() + pick(random, 0, 2);
  }
  return cuts;
}
Cuts equal_cuts(int n, Count count) {
  Cuts cuts{std::vector<Count>(static_cast<std::size_t>(n), count), {}, n * count};
  for (int i = 0; i < n; ++i) cuts.first.push_back(i * count);
  return cuts;
}
// Equal blocks in the simple form or with arrays, others with arrays.
Blocks blocks_of(Buffer& buffer, const Shape& shape, const Cuts& cuts, bool uniform) {
  if (uniform) return blocks(buffer.address(), cuts.counts[0], *shape.type);
  return blocks(buffer.address(), CountArray(cuts.counts.data()), CountArray(cuts.first.data()), *shape.type);
}
// What is not significant.
Blocks raw_blocks() { return blocks(nullptr, 0, byte_type()); }
Count at(const std::vector<Count>& list, int i) { return list[static_cast<std::size_t>(i)]; }

void fill(Buffer& buffer, const Cuts& cuts, int block, int rank, Count name) {
  for (Count i = 0; i < at(cuts.counts, block); ++i) buffer.set(at(cuts.first, block) + i, value(rank, name, i));
}
// The block holds what that rank made under that name.
void expect(Buffer& buffer, const Cuts& cuts, int block, int rank, Count name) {
  for (Count i = 0; i < at(cuts.counts, block); ++i) ASSERT_EQ(buffer.get(at(cuts.first, block) + i), value(rank, name, i));
}
std::vector<Buffer> buffers(const Shape& shape, int n, Count count) {
  return std::vector<Buffer>(static_cast<std::size_t>(n), Buffer(shape, count));
}
Buffer& at(std::vector<Buffer>& list, int i) { return list[static_cast<std::size_t>(i)]; }

// Lengths that take all kinds of protocol, and none.
Count random_count(std::mt19937& random, int ranks) {
  constexpr Count kCounts[] = {0, 1, 3, 8, 100, 1500};
  return ranks < kMany ? kCounts[pick(random, 0, 5)] : pick(random, 1, 3);
}

TEST(Barrier, NobodyLeavesBeforeTheLastHasEntered) {
  for (const auto& algorithm : kBarrier.intra) {
    for (int n : with_thousands(sizes())) {
      SCOPED_TRACE(testing::Message() << algorithm.name << " " << n);
      const std::shared_ptr<SimWorld> here = make_world(n);
      SimWorld& world = *here;
      if (!testable(world, algorithm, BarrierArgs{})) continue;
      const int last = n * 7 / 11;
      std::vector<Request*> requests;
      for (int rank = 0; rank < n; ++rank)
        if (rank != last) requests.push_back(start_with(kTestOps, algorithm, world.comm(rank), BarrierArgs{}));
      world.run(requests);
      ASSERT_EQ(SimWorld::stuck(requests).size(), requests.size());
      requests.push_back(start_with(kTestOps, algorithm, world.comm(last), BarrierArgs{}));
      ASSERT_TRUE(world.run(requests));
      EXPECT_EQ(finish(requests), kSuccess);
    }
  }
}

void test_bcast(const Algorithm<BcastArgs>& algorithm, const std::vector<int>& list) {
  for_all_sizes(list, [&](SimWorld& world, std::mt19937& random, const Shape& shape) {
    const Count count = random_count(random, world.size());
    const int root = pick(random, 0, world.size() - 1);
    auto data = buffers(shape, world.size(), count);
    for (Count i = 0; i < count; ++i) at(data, root).set(i, value(root, 0, i));
    auto args = [&](int rank) { return BcastArgs{at(data, rank).data(), root}; };
    if (!testable(world, algorithm, args(0))) return;
    ASSERT_TRUE(run_algorithm(world, algorithm, args));
    for (Buffer& buffer : data) {
      for (Count i = 0; i < count; ++i) ASSERT_EQ(buffer.get(i), value(root, 0, i));
      ASSERT_TRUE(buffer.guarded());
    }
  });
}
TEST(Bcast, EveryAlgorithm) {
  for_all_algorithms(kBcast.intra, [](const auto& algorithm) { test_bcast(algorithm, with_thousands(sizes())); });
}

void test_gather(const Algorithm<GatherArgs>& algorithm, bool equal) {
  for_all_sizes(with_thousands(sizes()), [&](SimWorld& world, std::mt19937& random, const Shape& shape) {
    const int n = world.size(), root = pick(random, 0, n - 1);
    const bool in_place = pick(random, 0, 1);
    const Cuts cuts = equal ? equal_cuts(n, pick(random, 0, 40)) : random_cuts(random, n, 40);
    Buffer all(shape, cuts.total);
    if (in_place) fill(all, cuts, root, root, 0);
    std::vector<Buffer> mine;
    for (int rank = 0; rank < n; ++rank) {
      mine.emplace_back(shape, at(cuts.counts, rank));
      for (Count i = 0; i < at(cuts.counts, rank); ++i) at(mine, rank).set(i, value(rank, 0, i));
    }
    auto args = [&](int rank) {
      const bool here = rank == root;
      const Data send = here && in_place ? raw(kInPlace, 0) : at(mine, rank).data();
      return GatherArgs{send, here ? blocks_of(all, shape, cuts, equal) : raw_blocks(), root, equal};
    };
    if (!testable(world, algorithm, args(0))) return;
    ASSERT_TRUE(run_algorithm(world, algorithm, args));
    for (int rank = 0; rank < n; ++rank) expect(all, cuts, rank, rank, 0);
    ASSERT_TRUE(all.guarded());
  });
}

void test_scatter(const Algorithm<ScatterArgs>& algorithm, bool equal) {
  for_all_sizes(with_thousands(sizes()), [&](SimWorld& world, std::mt19937& random, const Shape& shape) {
    const int n = world.size(), root = pick(random, 0, n - 1);
    const bool in_place = pick(random, 0, 1);
    const Cuts cuts = equal ? equal_cuts(n, pick(random, 0, 40)) : random_cuts(random, n, 40);
    Buffer all(shape, cuts.total);
    for (int rank = 0; rank < n; ++rank) fill(all, cuts, rank, root, rank);
    std::vector<Buffer> mine;
    for (int rank = 0; rank < n; ++rank) mine.emplace_back(shape, at(cuts.counts, rank));
    auto args = [&](int rank) {
      const bool here = rank == root;
      const Data recv = here && in_place ? raw(kInPlace, 0) : at(mine, rank).data();
      return ScatterArgs{here ? blocks_of(all, shape, cuts, equal) : raw_blocks(), recv, root, equal};
    };
    if (!testable(world, algorithm, args(0))) return;
    ASSERT_TRUE(run_algorithm(world, algorithm, args));
    for (int rank = 0; rank < n; ++rank) {
      const Affine* untouched = rank == root && in_place ? &Buffer::kNothing : nullptr;
      for (Count i = 0; i < at(cuts.counts, rank); ++i)
        ASSERT_EQ(at(mine, rank).get(i), untouched ? *untouched : value(root, rank, i));
      ASSERT_TRUE(at(mine, rank).guarded());
    }
  });
}

TEST(Gather, EveryAlgorithm) {
  for_all_algorithms(kGather.intra, [](const auto& algorithm) {
    for (bool equal : {true, false}) test_gather(algorithm, equal);
  });
}
TEST(Scatter, EveryAlgorithm) {
  for_all_algorithms(kScatter.intra, [](const auto& algorithm) {
    for (bool equal : {true, false}) test_scatter(algorithm, equal);
  });
}

void test_allgather(const Algorithm<AllgatherArgs>& algorithm, bool equal) {
  std::vector<int> list = sizes();
  list.push_back(1000);  // the results of more do not fit into memory
  for_all_sizes(list, [&](SimWorld& world, std::mt19937& random, const Shape& shape) {
    const int n = world.size();
    const bool in_place = pick(random, 0, 1);
    const int longest = n < kMany ? 12 : 1;
    const Cuts cuts = equal ? equal_cuts(n, pick(random, 0, longest)) : random_cuts(random, n, longest);
    auto all = buffers(shape, n, cuts.total);
    std::vector<Buffer> mine;
    for (int rank = 0; rank < n; ++rank) {
      if (in_place) fill(at(all, rank), cuts, rank, rank, 0);
      mine.emplace_back(shape, at(cuts.counts, rank));
      for (Count i = 0; i < at(cuts.counts, rank); ++i) at(mine, rank).set(i, value(rank, 0, i));
    }
    auto args = [&](int rank) {
      return AllgatherArgs{in_place ? raw(kInPlace, 0) : at(mine, rank).data(), blocks_of(at(all, rank), shape, cuts, equal),
                           n};
    };
    if (!testable(world, algorithm, args(0))) return;
    ASSERT_TRUE(run_algorithm(world, algorithm, args));
    for (Buffer& buffer : all) {
      for (int rank = 0; rank < n; ++rank) expect(buffer, cuts, rank, rank, 0);
      ASSERT_TRUE(buffer.guarded());
    }
  });
}
TEST(Allgather, EveryAlgorithm) {
  for_all_algorithms(kAllgather.intra, [](const auto& algorithm) {
    for (bool equal : {true, false}) test_allgather(algorithm, equal);
  });
}

// How many elements go from one rank to another.
Count amount(int from, int to, int seed, bool equal, bool symmetric) {
  if (equal) return seed % 9;
  if (symmetric && from > to) std::swap(from, to);
  const int mixed = (from * 31 + to * 17 + seed) % 13;
  return mixed < 4 ? 0 : mixed;
}

enum class Form { kPlain, kCounts, kTypes };

// One rank's buffer of an alltoall: one block for each other rank.
struct Side {
  Side(const Shape& shape, const std::vector<Count>& counts, Form f) : form(f), type(shape.type.get()) {
    cuts.counts = counts;
    cuts.total = 0;
    for (Count count : counts) {
      cuts.first.push_back(cuts.total);
      displacements.push_back(cuts.total * shape.type->extent);
      types.push_back(shape.type.get());
      cuts.total += count + (form == Form::kPlain ? 0 : 1);
    }
    buffer.emplace_back(shape, cuts.total);
  }
  Blocks blocks_here() {
    if (form == Form::kPlain) return blocks(buffer[0].address(), cuts.counts[0], *type);
    if (form == Form::kCounts)
      return blocks(buffer[0].address(), CountArray(cuts.counts.data()), CountArray(cuts.first.data()), *type);
    return blocks(buffer[0].address(), CountArray(cuts.counts.data()), CountArray(displacements.data()), types.data());
  }
  Form form;
  Datatype* type;
  Cuts cuts;
  std::vector<Count> displacements;  // in bytes
  std::vector<Datatype*> types;
  std::vector<Buffer> buffer;
};

void test_alltoall(const Algorithm<AlltoallArgs>& algorithm, Form form, bool in_place, const std::vector<int>& list) {
  for_all_sizes(list, [&](SimWorld& world, std::mt19937& random, const Shape& shape) {
    const int n = world.size(), seed = pick(random, 0, 100);
    std::vector<Side> send, recv;
    for (int rank = 0; rank < n; ++rank) {
      std::vector<Count> out, in;
      for (int other = 0; other < n; ++other) {
        out.push_back(amount(rank, other, seed, form == Form::kPlain, in_place));
        in.push_back(amount(other, rank, seed, form == Form::kPlain, in_place));
      }
      send.emplace_back(shape, out, form);
      recv.emplace_back(shape, in, form);
      Side& filled = (in_place ? recv : send).back();
      for (int other = 0; other < n; ++other) fill(filled.buffer[0], filled.cuts, other, rank, other);
    }
    auto args = [&](int rank) {
      const auto i = static_cast<std::size_t>(rank);
      Blocks out = send[i].blocks_here();
      if (in_place) out = blocks(kInPlace, 0, byte_type());
      return AlltoallArgs{out, recv[i].blocks_here(), n, n};
    };
    if (!testable(world, algorithm, args(0))) return;
    ASSERT_TRUE(run_algorithm(world, algorithm, args));
    for (int rank = 0; rank < n; ++rank) {
      Side& side = recv[static_cast<std::size_t>(rank)];
      for (int other = 0; other < n; ++other) expect(side.buffer[0], side.cuts, other, other, rank);
      ASSERT_TRUE(side.buffer[0].guarded());
    }
  });
}
TEST(Alltoall, EveryAlgorithm) {
  for_all_algorithms(kAlltoall.intra, [](const auto& algorithm) {
    for (bool in_place : {false, true})
      for (Form form : {Form::kPlain, Form::kCounts, Form::kTypes}) test_alltoall(algorithm, form, in_place, sizes(40));
    for (bool in_place : {false, true}) test_alltoall(algorithm, Form::kPlain, in_place, {64, 70, 128, 129});
  });
}

}  // namespace
}  // namespace starling::coll::test
