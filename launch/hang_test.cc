// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hang.h"

#include <gtest/gtest.h>

namespace starling::launch {
namespace {

TEST(Hang, NobodyWaits) {
  EXPECT_EQ(describe_waits(Waits(4)), "");
  EXPECT_TRUE(find_circle(Waits(4)).empty());
}

TEST(Hang, NamesTheCircle) {
  const Waits waits = {{3}, {2}, {3, 0}, {1}};
  EXPECT_EQ(find_circle(waits), (std::vector<int>{3, 1, 2}));
  EXPECT_NE(describe_waits(waits).find("4 of 4 ranks hang"), std::string::npos);
  EXPECT_NE(describe_waits(waits).find("circle: 3 -> 1 -> 2 -> 3"), std::string::npos);
}

TEST(Hang, ARankMayWaitForItself) { EXPECT_EQ(find_circle({{}, {1}}), (std::vector<int>{1})); }

TEST(Hang, NamesWhoDoesNotWait) {
  const std::string text = describe_waits({{1}, {2}, {}, {kWaitsForAnybody}});
  EXPECT_NE(text.find("rank 3 waits for any other"), std::string::npos);
  EXPECT_NE(text.find("does not wait in MPI: rank 2\n"), std::string::npos);
  EXPECT_EQ(text.find("circle"), std::string::npos);
}

TEST(Hang, AnybodyIsNoCircle) { EXPECT_TRUE(find_circle({{kWaitsForAnybody}, {0}}).empty()); }

}  // namespace
}  // namespace starling::launch
