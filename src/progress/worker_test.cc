// SPDX-License-Identifier: BSD-3-Clause
#include "progress/worker.h"

#include <gtest/gtest.h>
#include <time.h>

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "transport/self/self.h"

namespace starling {
namespace {

struct Counting {
  Worker* worker = nullptr;
  int left = 0;  // polls until it removes itself
  int polls = 0;
  static bool poll(void* self) {
    auto& counting = *static_cast<Counting*>(self);
    ++counting.polls;
    if (--counting.left == 0) counting.worker->remove_poller({&poll, self});
    return true;
  }
};

TEST(Worker, PollersMayRemoveThemselves) {
  Worker worker(0, 1);
  Counting first{&worker, 1, 0}, second{&worker, 3, 0};
  worker.add_poller({&Counting::poll, &first});
  worker.add_poller({&Counting::poll, &second});
  EXPECT_EQ(worker.progress(), 2);
  EXPECT_EQ(worker.progress(), 1);
  EXPECT_EQ(worker.progress(), 1);
  EXPECT_EQ(worker.progress(), 0);
  EXPECT_EQ(first.polls, 1);
  EXPECT_EQ(second.polls, 3);
}

struct Received : Worker {
  Received() : Worker(0, 1) {
    add_transport(transport::make_self(*this));
    set_handler(Am::kEager, [](Inbox& inbox, const AmHeader& header, Peer, const std::byte* payload, std::size_t length) {
      auto& self = static_cast<Received&>(static_cast<Worker&>(inbox));
      self.tags.push_back(header.tag);
      self.bytes += length;
      if (header.tag > 0) {  // a handler that sends is not entered again by what it sends
        const std::size_t before = self.tags.size();
        EXPECT_TRUE(self.endpoint(0).send_short({0, 0, header.tag - 1, Am::kEager}, payload, length));
        EXPECT_EQ(self.tags.size(), before);
      }
    });
  }
  std::vector<int> tags;
  std::size_t bytes = 0;
};

TEST(Worker, SelfTransportDeliversInOrderFromProgress) {
  Received worker;
  worker.endpoint(0).send_short({0, 0, 2, Am::kEager}, "abc", 3);
  EXPECT_TRUE(worker.tags.empty());
  worker.wait([&worker] { return worker.tags.size() == 3; });
  EXPECT_EQ(worker.tags, (std::vector<int>{2, 1, 0}));
  EXPECT_EQ(worker.bytes, 9u);
}

TEST(Worker, LockIsRecursiveAndExcludes) {
  Worker worker(0, 1);
  worker.multithreaded = true;
  int value = 0;
  auto work = [&] {
    for (int i = 0; i < 2000; ++i) {
      worker.lock();
      worker.lock();
      ++value;
      worker.unlock();
      worker.unlock();
    }
  };
  std::thread first(work), second(work);
  first.join();
  second.join();
  EXPECT_EQ(value, 4000);
}

// A waiting thread gives the lock away in all three gears, and is woken by who leaves the library.
TEST(Worker, WaitingThreadLetsOthersInAndIsWoken) {
  Worker worker(0, 1);
  worker.multithreaded = true;
  for (int milliseconds : {0, 1, 30}) {
    bool done = false;
    std::thread waiter([&] {
      worker.lock();
      worker.wait([&done] { return done; });
      worker.unlock();
    });
    const timespec pause{0, milliseconds * 1'000'000};
    nanosleep(&pause, nullptr);
    worker.lock();
    done = true;
    worker.unlock();
    waiter.join();
  }
}

// Two workers of a process, for threads.
struct Pair {
  Pair() { home.multithreaded = other.multithreaded = true; }
  Worker home{0, 1};
  Worker other{0, 1, &home};
};

TEST(Team, WhoWaitsDrivesTheOthers) {
  Pair pair;
  for (auto [waiter, driven] : {std::pair{&pair.home, &pair.other}, std::pair{&pair.other, &pair.home}}) {
    Counting counting{driven, 1, 0};
    driven->add_poller({&Counting::poll, &counting});
    waiter->lock();
    waiter->wait([&counting] { return counting.polls > 0; });
    waiter->unlock();
  }
}

TEST(Team, AWorkerThatIsHeldIsLeftAlone) {
  Pair pair;
  Counting counting{&pair.other, 1, 0};
  pair.other.add_poller({&Counting::poll, &counting});
  pair.other.lock();
  std::thread([&pair] {
    pair.home.lock();
    EXPECT_EQ(pair.home.help_others(), 0);
    pair.home.unlock();
  }).join();
  EXPECT_EQ(counting.polls, 0);
  pair.other.unlock();
  pair.home.lock();
  EXPECT_EQ(pair.home.help_others(), 1);
  pair.home.unlock();
}

TEST(Team, WhatIsLeftToHomeIsDoneByWhoHasHome) {
  Pair pair;
  int done = 0;
  pair.other.lock();
  pair.other.leave_to_home([](void* object) { ++*static_cast<int*>(object); }, &done);
  pair.other.progress();
  EXPECT_EQ(done, 0);
  pair.other.help_others();
  EXPECT_EQ(done, 1);
  pair.other.help_others();
  EXPECT_EQ(done, 1);
  pair.other.unlock();
}

// Threads that hand a ball to each other, each at a worker of its own or with home in common, and that sleep in between: a bell
// that does not wake the one who has the ball ends the game.
TEST(Team, SleepersOfAllWorkersAreWoken) {
  Pair pair;
  constexpr int kThreads = 3, kRounds = 60;
  std::atomic<int> ball{0};
  std::vector<std::thread> players;
  for (int number = 0; number < kThreads; ++number)
    players.emplace_back([&, number] {
      Worker& mine = number == 0 ? pair.home : pair.other;
      for (int round = 0; round < kRounds; ++round) {
        mine.lock();
        mine.wait([&] { return ball.load() % kThreads == number; });
        mine.unlock();
        const timespec pause{0, round % 2 == 0 ? 0 : 7'000'000};  // longer than the others stay awake
        nanosleep(&pause, nullptr);
        // Changed under the lock of a worker that the next one does not hold.
        pair.home.lock();
        ball.fetch_add(1);
        pair.home.unlock();
      }
    });
  for (std::thread& player : players) player.join();
  EXPECT_EQ(ball.load(), kThreads * kRounds);
}

}  // namespace
}  // namespace starling
