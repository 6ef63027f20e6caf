// SPDX-License-Identifier: BSD-3-Clause
#include "rma/lock.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <thread>
#include <vector>

namespace starling::rma {
namespace {

void read_lock(FairLock& lock) {
  const std::uint32_t ticket = lock.draw();
  while (!lock.may_read(ticket)) sched_yield();
  lock.begin_read();
}

void write_lock(FairLock& lock) {
  const std::uint32_t ticket = lock.draw();
  while (!lock.may_write(ticket)) sched_yield();
}

TEST(FairLock, ZeroIsFree) {
  FairLock lock{};
  write_lock(lock);
  lock.end_write();
  read_lock(lock);
  read_lock(lock);
  lock.end_read();
  lock.end_read();
  write_lock(lock);
  lock.end_write();
  EXPECT_FALSE(lock.somebody_waits());
}

TEST(FairLock, ServesInOrder) {
  FairLock lock{};
  write_lock(lock);
  const std::uint32_t reader = lock.draw(), second = lock.draw(), writer = lock.draw(), late = lock.draw();
  EXPECT_FALSE(lock.may_read(reader));
  lock.end_write();
  EXPECT_TRUE(lock.may_read(reader));
  lock.begin_read();
  EXPECT_TRUE(lock.may_read(second));  // together with the first
  lock.begin_read();
  EXPECT_FALSE(lock.may_write(writer));
  EXPECT_FALSE(lock.may_read(late));  // not before the writer
  lock.end_read();
  EXPECT_FALSE(lock.may_write(writer));
  lock.end_read();
  EXPECT_TRUE(lock.may_write(writer));
  lock.end_write();
  EXPECT_TRUE(lock.may_read(late));
}

TEST(FairLock, TicketsWrapAround) {
  FairLock lock{};
  lock.tickets = lock.reader = lock.writer = 0xfffffffe;
  for (int i = 0; i < 4; ++i) {
    write_lock(lock);
    lock.end_write();
    read_lock(lock);
    lock.end_read();
  }
  EXPECT_EQ(lock.tickets.load(), 6U);
}

// Writers change two words one after the other; readers must never see them differ.
TEST(FairLock, Stress) {
  constexpr int kThreads = 4, kRounds = 5000;
  FairLock lock{};
  long first = 0, second = 0;
  std::atomic<int> torn{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kRounds; ++i) {
        if ((i + t) % 3 == 0) {
          write_lock(lock);
          ++first;
          ++second;
          lock.end_write();
        } else {
          read_lock(lock);
          if (first != second) ++torn;
          lock.end_read();
        }
      }
    });
  for (std::thread& thread : threads) thread.join();
  long writes = 0;
  for (int t = 0; t < kThreads; ++t)
    for (int i = 0; i < kRounds; ++i) writes += (i + t) % 3 == 0;
  EXPECT_EQ(torn.load(), 0);
  EXPECT_EQ(first, writes);
  EXPECT_EQ(second, writes);
}

}  // namespace
}  // namespace starling::rma
