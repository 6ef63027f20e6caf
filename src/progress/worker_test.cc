// SPDX-License-Identifier: BSD-3-Clause
#include "progress/worker.h"

#include <gtest/gtest.h>
#include <time.h>

#include <thread>
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

}  // namespace
}  // namespace starling
