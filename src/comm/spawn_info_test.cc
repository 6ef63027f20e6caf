// SPDX-License-Identifier: BSD-3-Clause
#include "comm/spawn_info.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "base/error.h"

namespace starling::comm {
namespace {

TEST(SpawnInfo, TheLargestAllowedNumber) {
  EXPECT_EQ(largest_allowed("4", 4), 4);
  EXPECT_EQ(largest_allowed("4", 3), 0);
  EXPECT_EQ(largest_allowed("0:8", 5), 5);
  EXPECT_EQ(largest_allowed("1:8:3", 8), 7);
  EXPECT_EQ(largest_allowed("1:8:3", 6), 4);
  EXPECT_EQ(largest_allowed("8:1:-3", 7), 5);
  EXPECT_EQ(largest_allowed("8:1:-3", 1), 0);
  EXPECT_EQ(largest_allowed("2, 4:16:4 ,3", 10), 8);
  EXPECT_EQ(largest_allowed("5:1", 10), 0);  // empty
  EXPECT_EQ(largest_allowed("-4:-1", 10), 0);
  EXPECT_EQ(largest_allowed("-4:100:3", 6), 5);
  EXPECT_EQ(largest_allowed("", 6), 0);
  EXPECT_EQ(largest_allowed("2147483647", 2147483647), 2147483647);
}

TEST(SpawnInfo, WhatIsNoSetIsRefused) {
  for (const char* soft : {"two", "1:2:0", "1:2:3:4", "1::2", "1,,2", "3x", "99999999999"})
    EXPECT_THROW(largest_allowed(soft, 10), Error) << soft;
}

TEST(SpawnInfo, EntriesOfAFileComeAfterThoseOfTheInfo) {
  const std::string path = testing::TempDir() + "/starling-spawn-info-" + std::to_string(getpid());
  std::ofstream(path) << "# of this test\n\nwdir /there\n  soft\t1:4 \npath /a b:/c\n";
  Ref<Info> info = Ref<Info>::adopt(info_pool().create());
  info->set("wdir", "/here");
  info->set("file", path);
  const InfoEntries entries = spawn_entries(*info);
  EXPECT_EQ(entries, (InfoEntries{{"wdir", "/here"}, {"file", path}, {"soft", "1:4"}, {"path", "/a b:/c"}}));
  std::ofstream(path) << "alone\n";
  EXPECT_THROW(spawn_entries(*info), Error);
  unlink(path.c_str());
  EXPECT_THROW(spawn_entries(*info), Error);
}

}  // namespace
}  // namespace starling::comm
