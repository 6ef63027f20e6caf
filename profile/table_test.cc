// SPDX-License-Identifier: BSD-3-Clause
#include "profile/table.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace starling::profile {

TEST(Table, DoesWhatAMapDoes) {
  Table<int> table;
  std::map<std::uint64_t, int> map;
  std::mt19937_64 random(7);
  for (int i = 0; i < 20000; ++i) {
    std::uint64_t key = (random() % 300) << (random() % 2 * 40);
    if (random() % 3 == 0) {
      if (int* known = table.find(key)) table.erase(known);
      map.erase(key);
    } else {
      table.at(key) = i;
      map[key] = i;
    }
    ASSERT_EQ(table.size(), map.size());
  }
  for (const auto& [key, value] : map) {
    ASSERT_NE(table.find(key), nullptr);
    EXPECT_EQ(*table.find(key), value);
  }
}

}  // namespace starling::profile
