// SPDX-License-Identifier: BSD-3-Clause
#include "transport/doorbell.h"

#include <gtest/gtest.h>

#include <thread>

namespace starling::doorbell {
namespace {

using Bell = std::atomic<std::uint32_t>;

TEST(Doorbell, AnAnnouncementIsAnsweredOnce) {
  prepare();
  Bell bell{0};
  const std::uint32_t announced = announce(bell);
  EXPECT_EQ(announced & 1, 1u);
  EXPECT_EQ(bell, announced);
  ring(bell);
  const std::uint32_t answered = bell;
  EXPECT_EQ(answered, announced + 1);
  ring(bell);
  wake(bell);
  EXPECT_EQ(bell, answered);
  EXPECT_TRUE(sleep(bell, announced));
}

TEST(Doorbell, RetractingLeavesNothingToAnswer) {
  Bell bell{0};
  const std::uint32_t announced = announce(bell);
  retract(bell);
  const std::uint32_t retracted = bell;
  EXPECT_EQ(retracted & 1, 0u);
  retract(bell);
  ring(bell);
  EXPECT_EQ(bell, retracted);
  EXPECT_NE(announce(bell), announced);
}

// Two threads share a bell. The first one's announcement is answered before it comes to sleep, and the second announces itself:
// the first must not sleep.
TEST(Doorbell, AnAnsweredSleeperIsNotKeptByALaterAnnouncement) {
  prepare();
  Bell bell{0};
  const std::uint32_t first = announce(bell);
  ring(bell);
  const std::uint32_t second = announce(bell);
  EXPECT_NE(first, second);
  EXPECT_TRUE(sleep(bell, first));
  EXPECT_EQ(bell, second);
}

TEST(Doorbell, RingingWakesAllWhoSleep) {
  prepare();
  Bell bell{0};
  std::atomic<int> woken{0};
  const std::uint32_t announced = announce(bell);
  EXPECT_EQ(announce(bell), announced);  // not answered yet: the same announcement
  auto sleeper = [&] {
    while (bell == announced) sleep(bell, announced);
    ++woken;
  };
  std::thread first(sleeper), second(sleeper);
  std::this_thread::yield();
  ring(bell);
  first.join();
  second.join();
  EXPECT_EQ(woken, 2);
}

}  // namespace
}  // namespace starling::doorbell
