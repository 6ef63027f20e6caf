// SPDX-License-Identifier: BSD-3-Clause
// Collectives on a board, between processes that share cores and between such that do not.
#include "coll/board.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <random>
#include <type_traits>

#include "base/settings.h"
#include "coll/allgather/allgather.h"
#include "coll/allreduce/allreduce.h"
#include "coll/alltoall/alltoall.h"
#include "coll/barrier/barrier.h"
#include "coll/bcast/bcast.h"
#include "coll/drive.h"
#include "coll/entry.gen.h"
#include "coll/gather/gather.h"
#include "coll/plan.h"
#include "coll/reduce/reduce.h"
#include "coll/reduce_scatter/reduce_scatter.h"
#include "coll/scatter/scatter.h"
#include "p2p/job_test.h"
#include "transport/shm/cma.h"

namespace starling::coll::test {
namespace {

using Numbers = std::vector<std::int64_t>;

Datatype& int64() { return *predefined_datatype(kCodeInt64T); }
Op& sum() { return *predefined_op(kCodeSum); }

// A communicator over the same processes, with a context of its own.
Ref<Comm> another(Comm& world, Context context) {
  return Ref<Comm>::adopt(object::make_comm(context, *world.worker, world.group, {}, nullptr));
}

template <class Body>
void on_shared_cores(int n, Body&& body) {
  starling::test::run_job(n, [&](Comm& world) {
    world.worker->cores_shared = true;
    body(world);
  });
}

// As on_shared_cores, and likewise where everybody has a core of its own and members leave marks.
template <class Body>
void on_both_kinds(int n, Body&& body) {
  on_shared_cores(n, body);
  starling::test::run_job(n, [&](Comm& world) {
    Settings& all = writable_settings();
    for (auto* name : {&all.barrier_intra_algorithm, &all.bcast_intra_algorithm, &all.gather_intra_algorithm,
                       &all.scatter_intra_algorithm, &all.allgather_intra_algorithm, &all.alltoall_intra_algorithm,
                       &all.reduce_intra_algorithm, &all.allreduce_intra_algorithm, &all.reduce_scatter_block_intra_algorithm,
                       &all.scan_intra_algorithm, &all.exscan_intra_algorithm, &all.ibarrier_intra_algorithm,
                       &all.ibcast_intra_algorithm, &all.iallreduce_intra_algorithm})
      *name = "shared";
    body(world);
    EXPECT_TRUE(state_of(world).boards[0] == nullptr || state_of(world).boards[0]->marked);
  });
}

std::int64_t expected_sum(std::int64_t n, std::int64_t round) { return n * round + n * (n - 1) / 2; }

void finish(Request* request, int error = kSuccess) {
  Status status;
  p2p::wait(*request, status);
  EXPECT_EQ(status.error, error);
}

// One operation of each kind, checked.
void everything_once(Comm& comm, std::int64_t round) {
  const int n = comm.size, rank = comm.rank;
  const auto places = static_cast<std::size_t>(n);
  const int root = static_cast<int>(round % n);
  const std::int64_t mine = rank + round;
  std::int64_t one = 0;
  allreduce(&mine, &one, 1, int64(), sum(), comm);
  ASSERT_EQ(one, expected_sum(n, round));
  one = rank == root ? round : -1;
  bcast(&one, 1, int64(), root, comm);
  ASSERT_EQ(one, round);
  reduce(&mine, &one, 1, int64(), sum(), root, comm);
  if (rank == root) {
    ASSERT_EQ(one, expected_sum(n, round));
  }
  Numbers all(places, -1);
  allgather(&mine, 1, int64(), all.data(), 1, int64(), comm);
  for (int i = 0; i < n; ++i) ASSERT_EQ(all[static_cast<std::size_t>(i)], i + round);
  alltoall(kInPlace, 0, int64(), all.data(), 1, int64(), comm);
  for (int i = 0; i < n; ++i) ASSERT_EQ(all[static_cast<std::size_t>(i)], mine);
  gather(&mine, 1, int64(), all.data(), 1, int64(), root, comm);
  for (int i = 0; rank == root && i < n; ++i) ASSERT_EQ(all[static_cast<std::size_t>(i)], i + round);
  scatter(all.data(), 1, int64(), &one, 1, int64(), root, comm);
  ASSERT_EQ(one, mine);
  scan(&mine, &one, 1, int64(), sum(), comm);
  ASSERT_EQ(one, expected_sum(rank + 1, round));
  exscan(&mine, &one, 1, int64(), sum(), comm);
  if (rank > 0) {
    ASSERT_EQ(one, expected_sum(rank, round));
  }
  for (int i = 0; i < n; ++i) all[static_cast<std::size_t>(i)] = mine + i;
  reduce_scatter_block(all.data(), &one, 1, int64(), sum(), comm);
  ASSERT_EQ(one, expected_sum(n, round) + n * rank);
  barrier(comm);
}

TEST(Board, EveryOperationManyTimes) {
  for (int n : {2, 3, 5, 8})
    on_both_kinds(n, [](Comm& world) {
      for (std::int64_t round = 0; round < 300; ++round) everything_once(world, round);
      EXPECT_EQ(static_cast<int>(state_of(world).boards[0]->state), static_cast<int>(Board::State::kReady));
    });
}

// Returns the error class.
template <class Args>
int outcome(Comm& world, Task (*algorithm)(Ctx, Args), const std::type_identity_t<Args>& args) {
  coll::Run run(*world.worker, next_tag(world, true), true);
  algorithm(Ctx(run, world), args).run();
  return run.error;
}
template <class Args>
void execute(Comm& world, Task (*algorithm)(Ctx, Args), const std::type_identity_t<Args>& args) {
  ASSERT_EQ(outcome(world, algorithm, args), kSuccess);
}

// With equal blocks and with those of r n / p elements, into another buffer and in place.
void reduce_scatters(Comm& world, std::int64_t n) {
  const std::int64_t p = world.size, rank = world.rank;
  for (bool equal : {true, false}) {
    Numbers counts, first{0};
    for (std::int64_t i = 0; i < p; ++i) counts.push_back(equal ? n / p + 1 : i * n / p);
    for (std::int64_t count : counts) first.push_back(first.back() + count);
    const auto total = static_cast<std::size_t>(first.back()),
               begin = static_cast<std::size_t>(first[static_cast<std::size_t>(rank)]);
    const auto mine = static_cast<std::size_t>(counts[static_cast<std::size_t>(rank)]);
    Numbers in(total), expected(mine);
    for (std::size_t i = 0; i < total; ++i) in[i] = rank * 1000 + static_cast<std::int64_t>(i);
    for (std::size_t i = 0; i < mine; ++i) expected[i] = p * (p - 1) / 2 * 1000 + p * static_cast<std::int64_t>(begin + i);
    const CountArray array = equal ? CountArray() : CountArray(counts.data());
    const Numbers before = in;
    Numbers out(mine + 1, -1);
    execute(world, reduce_scatter_direct, {in.data(), out.data(), n / p + 1, array, &int64(), &sum()});
    ASSERT_EQ(Numbers(out.begin(), out.end() - 1), expected);
    ASSERT_EQ(out.back(), -1);
    ASSERT_EQ(in, before);
    execute(world, reduce_scatter_direct, {kInPlace, in.data(), n / p + 1, array, &int64(), &sum()});
    in.resize(mine);
    ASSERT_EQ(in, expected);
  }
}

// To the root and back from it, elements with or without gaps. A root that is in place has its block where it belongs.
template <class T>
void gathers_and_scatters(Comm& world, Datatype& type, std::int64_t n, int root, bool in_place, T (*element)(std::int64_t)) {
  const std::int64_t p = world.size, rank = world.rank;
  std::vector<T> mine, expected, all(static_cast<std::size_t>(n * p));
  for (std::int64_t i = 0; i < n; ++i) mine.push_back(element(rank * 1000 + i));
  for (std::int64_t i = 0; i < n * p; ++i) expected.push_back(element(i / n * 1000 + i % n));
  const bool stays = in_place && rank == root;
  if (stays) std::copy(mine.begin(), mine.end(), all.begin() + static_cast<std::ptrdiff_t>(rank * n));
  const Data own = stays ? data(kInPlace, n, type) : data(mine.data(), n, type);
  execute(world, gather_direct, {own, blocks(all.data(), n, type), root, true});
  if (rank == root) {
    ASSERT_EQ(all, expected);
  }
  std::vector<T> back(stays ? mine : std::vector<T>(mine.size()));
  const Data there = stays ? data(kInPlace, n, type) : data(back.data(), n, type);
  execute(world, scatter_direct, {blocks(all.data(), n, type), there, root, true});
  ASSERT_EQ(back, mine);
}

struct Located {  // as MPI_DOUBLE_INT
  double value = 0;
  int place = 0;
  friend bool operator==(const Located&, const Located&) = default;
};

// Collectives that read the members' memory, at sizes around those of the pieces; `direct` false: it is not permitted.
void long_vectors(Comm& world, std::int64_t n) {
  const auto length = static_cast<std::size_t>(n);
  const std::int64_t p = world.size, rank = world.rank;
  const auto block = [&](std::int64_t of) {
    Numbers numbers(length);
    for (std::size_t i = 0; i < length; ++i) numbers[i] = of * 1000 + static_cast<std::int64_t>(i);
    return numbers;
  };
  Numbers sums(length);
  for (std::size_t i = 0; i < length; ++i) sums[i] = p * (p - 1) / 2 * 1000 + p * static_cast<std::int64_t>(i);
  const int root = static_cast<int>(n % p);
  Numbers one = block(rank);
  execute(world, bcast_direct, {data(one.data(), n, int64()), root});
  ASSERT_EQ(one, block(root));
  const Numbers mine = block(rank);
  Numbers out(length);
  execute(world, reduce_direct, {mine.data(), out.data(), n, &int64(), &sum(), root});
  if (rank == root) {
    ASSERT_EQ(out, sums);
  }
  execute(world, allreduce_direct, {mine.data(), out.data(), n, &int64(), &sum(), 0});
  ASSERT_EQ(out, sums);
  out = mine;
  execute(world, allreduce_direct, {kInPlace, out.data(), n, &int64(), &sum(), 0});
  ASSERT_EQ(out, sums);
  reduce_scatters(world, n);
  Numbers all(length * static_cast<std::size_t>(p)), expected;
  for (std::int64_t i = 0; i < p; ++i) {
    const Numbers part = block(i);
    expected.insert(expected.end(), part.begin(), part.end());
  }
  execute(world, allgather_direct, {data(mine.data(), n, int64()), blocks(all.data(), n, int64()), world.size});
  ASSERT_EQ(all, expected);
  for (bool in_place : {false, true}) {
    gathers_and_scatters<std::int64_t>(world, int64(), n, root, in_place, [](std::int64_t i) { return i; });
    gathers_and_scatters<Located>(world, *predefined_datatype(kCodeDoubleInt), n, root, in_place, [](std::int64_t i) {
      return Located{static_cast<double>(i), static_cast<int>(i)};
    });
  }
  Numbers back(all.size());
  execute(world, alltoall_direct, {blocks(all.data(), n, int64()), blocks(back.data(), n, int64()), world.size, world.size});
  for (std::int64_t i = 0; i < p; ++i)
    for (std::size_t j = 0; j < length; ++j) ASSERT_EQ(back[static_cast<std::size_t>(i) * length + j], mine[j]);
}

TEST(Board, DirectReads) {
  int word = 1, copy = 0;  // emulators of other processors do not know the call
  const bool possible = transport::cma_read(getpid(), &copy, reinterpret_cast<std::uint64_t>(&word), sizeof word);
  for (int n : {2, 3, 5, 8})
    for (bool permitted : {true, false})
      on_both_kinds(n, [&](Comm& world) {
        if (!permitted && world.rank == n - 1) world.worker->endpoint(world.peer(0)).direct = false;
        for (int repeat = 0; repeat < 3; ++repeat)
          for (std::int64_t length : {1, 7, 1000, 4096, 4097, 30000}) long_vectors(world, length);
        EXPECT_EQ(state_of(world).boards[0]->direct, permitted && possible);
      });
}

// Nothing is written behind a buffer, and who gets more than it takes says so. Equal on all processes is what direct
// algorithms are chosen by, so only mistakes of programs come here.
TEST(Board, DirectLengthsThatDoNotMatch) {
  constexpr std::int64_t kShort = 2000, kLong = 2500;
  for (int n : {2, 4})
    on_both_kinds(n, [](Comm& world) {
      const int p = world.size;
      const bool root = world.rank == 0;
      const auto room = static_cast<std::size_t>(kLong * p);
      const auto untouched = [](const Numbers& numbers, std::int64_t first) {
        return std::all_of(numbers.begin() + first, numbers.end(), [](std::int64_t i) { return i == -1; });
      };
      Numbers in(room, 1), out(room, -1);
      const int direct = outcome(world, bcast_direct, {data(root ? in.data() : out.data(), root ? kLong : kShort, int64()), 0});
      if (!state_of(world).boards[0]->direct) return;  // messages tell in their own way
      EXPECT_EQ(direct, root ? kSuccess : kErrTruncate);
      EXPECT_TRUE(untouched(out, root ? 0 : kShort));
      out.assign(room, -1);
      EXPECT_EQ(outcome(world, bcast_direct, {data(root ? in.data() : out.data(), root ? kShort : kLong, int64()), 0}),
                kSuccess);
      EXPECT_TRUE(untouched(out, root ? 0 : kShort));
      out.assign(room, -1);
      EXPECT_EQ(outcome(world, gather_direct,
                        {data(in.data(), root ? kShort : kLong, int64()), blocks(out.data(), kShort, int64()), 0, true}),
                root ? kErrTruncate : kSuccess);
      EXPECT_TRUE(untouched(out, root ? p * kShort : 0));
      out.assign(room, -1);
      EXPECT_EQ(outcome(world, scatter_direct,
                        {blocks(in.data(), kLong, int64()), data(out.data(), root ? kLong : kShort, int64()), 0, true}),
                root ? kSuccess : kErrTruncate);
      EXPECT_TRUE(untouched(out, root ? kLong : kShort));
      out.assign(room, -1);
      EXPECT_EQ(
          outcome(world, allgather_direct,
                  {data(in.data(), root ? kLong : kShort, int64()), blocks(out.data(), root ? kLong : kShort, int64()), p}),
          root ? kSuccess : kErrTruncate);
      if (!root) {
        EXPECT_TRUE(untouched(out, p * kShort));
      }
      barrier(world);
    });
}

// A root that runs ahead of slow readers, as far as it may; then the roles change.
TEST(Board, NobodyIsOvertaken) {
  on_both_kinds(4, [](Comm& world) {
    std::minstd_rand random(static_cast<unsigned>(world.rank + 1));
    for (std::int64_t round = 0; round < 2000; ++round) {
      const int root = static_cast<int>(round / 50 % world.size);
      Numbers words(static_cast<std::size_t>(1 + round % 100), world.rank == root ? round : -1);
      if (random() % 64 == 0) usleep(100);
      bcast(words.data(), static_cast<Count>(words.size()), int64(), root, world);
      for (std::int64_t word : words) ASSERT_EQ(word, round);
      const std::int64_t mine = world.rank + round;
      std::int64_t total = 0;
      reduce(&mine, &total, 1, int64(), sum(), root, world);
      if (world.rank == root) {
        ASSERT_EQ(total, expected_sum(world.size, round));
      }
    }
  });
}

// Far more operations under way than the board has cells, the first of which has to ask for it; completed in any order.
TEST(Board, ManyAtATime) {
  on_both_kinds(3, [](Comm& world) {
    std::minstd_rand random(static_cast<unsigned>(world.rank + 7));
    for (int repeat = 0; repeat < 20; ++repeat) {
      Ref<Comm> comm = another(world, static_cast<Context>(10 + repeat) << 1);
      constexpr std::size_t kMany = 60;
      std::vector<Request*> requests(kMany);
      Numbers in(kMany), out(kMany, -1);
      for (std::size_t i = 0; i < kMany; ++i) {
        in[i] = out[i] = comm->rank + static_cast<std::int64_t>(i);
        if (i % 3 == 0) iallreduce(&in[i], &out[i], 1, int64(), sum(), *comm, requests[i]);
        if (i % 3 == 1) ibcast(&out[i], 1, int64(), 1, *comm, requests[i]);
        if (i % 3 == 2) ibarrier(*comm, requests[i]);
      }
      std::vector<std::size_t> order(kMany);
      for (std::size_t i = 0; i < kMany; ++i) order[i] = i;
      std::shuffle(order.begin(), order.end(), random);
      for (std::size_t i : order) finish(requests[i]);
      for (std::size_t i = 0; i < kMany; ++i) {
        if (i % 3 == 0) {
          EXPECT_EQ(out[i], expected_sum(comm->size, static_cast<std::int64_t>(i)));
        }
        if (i % 3 == 1) {
          EXPECT_EQ(out[i], 1 + static_cast<std::int64_t>(i));
        }
      }
    }
  });
}

// A request that one process starts before a blocking operation, and the others after it.
TEST(Board, RequestsAndBlockingOperationsAreNumberedApart) {
  on_shared_cores(3, [](Comm& world) {
    for (int round = 0; round < 30; ++round) {
      const std::int64_t mine = world.rank + round;
      std::int64_t early = -1, total = -1;
      Request* request = nullptr;
      if (world.rank == round % 3) iallreduce(&mine, &early, 1, int64(), sum(), world, request);
      everything_once(world, round);
      if (world.rank != round % 3) iallreduce(&mine, &early, 1, int64(), sum(), world, request);
      allreduce(&mine, &total, 1, int64(), sum(), world);
      finish(request);
      ASSERT_EQ(early, expected_sum(3, round));
      ASSERT_EQ(total, early);
    }
  });
}

// Communicators beyond the number of boards use messages; boards that are given back are used again.
TEST(Board, BoardsAreLimitedAndComeBack) {
  on_both_kinds(3, [](Comm& world) {
    Context context = 100;
    for (int repeat = 0; repeat < 3; ++repeat) {
      std::vector<Ref<Comm>> comms;
      for (std::uint32_t i = 0; i < kBoardsPerRank + 3; ++i) comms.push_back(another(world, context += 2));
      std::uint32_t ready = 0;
      for (int round = 0; round < 5; ++round)
        for (auto& comm : comms) everything_once(*comm, round);
      for (auto& comm : comms) ready += state_of(*comm).boards[0]->state == Board::State::kReady;
      EXPECT_EQ(ready, kBoardsPerRank);
      comms.clear();
      // By messages, so that all have let go before the leader looks.
      Ref<Comm> meeting = another(world, context += 2);
      coll::Run run(*meeting->worker, next_tag(*meeting, true), true);
      run_with(*find(kBarrier.intra, "k_dissemination"), run, Ctx(run, *meeting), BarrierArgs{});
    }
  });
}

TEST(Board, AReaderThatExpectsLessIsTold) {
  on_shared_cores(2, [](Comm& world) {
    world.worker->cores_shared = true;
    Numbers words(4, world.rank);
    coll::Run run(*world.worker, next_tag(world, true), true);
    Ctx c(run, world);
    const BcastArgs args{data(words.data(), world.rank == 0 ? 4 : 1, int64()), 0};
    Task task = bcast_shared(c, args);
    task.start(nullptr);
    task.collect();
    EXPECT_EQ(run.error, world.rank == 0 ? kSuccess : kErrTruncate);
    EXPECT_EQ(words[1], world.rank);
  });
}

TEST(Board, WhoLacksThisCore) {
  on_shared_cores(3, [](Comm& world) {
    barrier(world);
    const Board& board = *state_of(world).boards[0];
    if (world.rank == 0) {
      cpu_set_t here_only;
      CPU_ZERO(&here_only);
      CPU_SET(static_cast<unsigned>(sched_getcpu()), &here_only);
      ASSERT_EQ(sched_setaffinity(0, sizeof here_only, &here_only), 0);
      const auto here = static_cast<std::uint16_t>(sched_getcpu() + 1), elsewhere = static_cast<std::uint16_t>(here + 1);
      const std::uint64_t number = board.next;
      board.cpu(1) = board.cpu(2) = elsewhere;
      EXPECT_FALSE(board.lacks_this_core(1, number));
      EXPECT_FALSE(board.lacks_this_core(Board::kAll, number));
      EXPECT_EQ(board.cpu(0), here);
      board.cpu(2) = here;
      EXPECT_FALSE(board.lacks_this_core(1, number));
      EXPECT_TRUE(board.lacks_this_core(2, number));
      EXPECT_TRUE(board.lacks_this_core(Board::kAll, number));
      board.member(2).arrived = number + 1;
      EXPECT_FALSE(board.lacks_this_core(Board::kAll, number));
      EXPECT_TRUE(board.lacks_this_core(Board::kAll, number + 1));
      board.cpu(1) = 0;
      EXPECT_TRUE(board.lacks_this_core(1, number));
      EXPECT_TRUE(board.lacks_this_core(Board::kAll, number));
    }
    // The others wait for messages meanwhile, and leave their words alone.
    execute(world, barrier_dissemination, {});
  });
}

// Persistent requests may be started in another order on every process.
TEST(Board, PersistentRequestsDoNotUseIt) {
  on_shared_cores(2, [](Comm& world) {
    Numbers in{1, 2}, out(2);
    Request* requests[2];
    for (std::size_t i = 0; i < 2; ++i) allreduce_init(&in[i], &out[i], 1, int64(), sum(), world, nullptr, requests[i]);
    for (int round = 0; round < 10; ++round) {
      for (int i : {world.rank, 1 - world.rank}) {
        requests[i]->active = true;
        requests[i]->complete = false;
        requests[i]->ops->start(*requests[i]);
      }
      Status status;
      for (Request* request : requests) p2p::wait(*request, status);
      EXPECT_EQ(out, (Numbers{2, 4}));
    }
    for (Request* request : requests) Ref<Request>::adopt(request);
  });
}

}  // namespace
}  // namespace starling::coll::test
