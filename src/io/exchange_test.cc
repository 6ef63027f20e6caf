// SPDX-License-Identifier: BSD-3-Clause
#include "io/exchange.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "io/coverage.h"

namespace starling::io {
namespace {

using Ranges = std::vector<std::pair<Count, Count>>;
Ranges ranges_of(const Coverage& coverage) {
  Ranges ranges;
  coverage.for_each([&ranges](Count first, Count bytes) { ranges.emplace_back(first, bytes); });
  return ranges;
}

TEST(Coverage, JoinsRanges) {
  Coverage coverage;
  coverage.reset(1000);
  EXPECT_EQ(ranges_of(coverage), Ranges{});
  coverage.mark(63, 2);
  coverage.mark(10, 5);
  coverage.mark(15, 48);
  coverage.mark(999, 1);
  EXPECT_EQ(ranges_of(coverage), (Ranges{{10, 55}, {999, 1}}));
  coverage.reset(128);
  coverage.mark(0, 128);
  EXPECT_EQ(ranges_of(coverage), (Ranges{{0, 128}}));
}

TEST(Coverage, AgainstOneByteAtATime) {
  std::mt19937 random(7);
  for (int round = 0; round < 100; ++round) {
    const Count bytes = 1 + static_cast<Count>(random() % 500);
    std::vector<bool> marked(static_cast<std::size_t>(bytes));
    Coverage coverage;
    coverage.reset(bytes);
    for (int i = 0; i < 12; ++i) {
      const Count first = static_cast<Count>(random()) % bytes, length = static_cast<Count>(random()) % (bytes - first + 1) / 4;
      coverage.mark(first, length);
      for (Count k = first; k < first + length; ++k) marked[static_cast<std::size_t>(k)] = true;
    }
    std::vector<bool> seen(marked.size());
    Count last = -1;
    coverage.for_each([&](Count first, Count length) {
      EXPECT_GT(first, last);
      last = first + length;  // a gap follows, so the next one begins later
      for (Count k = first; k < first + length; ++k) seen[static_cast<std::size_t>(k)] = true;
    });
    EXPECT_EQ(seen, marked);
  }
}

Hints hints_of(Count nodes, Count buffer) {
  Hints hints;
  hints.cb_nodes = nodes;
  hints.cb_buffer_size = buffer;
  return hints;
}

TEST(Plan, TogetherOnlyWhereItPays) {
  const Extent apart[] = {{0, 100, 100, 1, 0}, {}, {100, 200, 100, 1, 0}};
  const Extent mixed[] = {{0, 190, 50, 1, 0}, {}, {10, 200, 50, 1, 0}};
  const Extent long_pieces[] = {{0, 190, 50, 0, 0}, {}, {10, 200, 50, 0, 0}};
  const Extent loose[] = {{0, 190, 50, 1, 1}, {}, {10, 200, 50, 1, 0}};
  const Extent nothing[] = {{}, {}, {}};
  const Hints hints;
  EXPECT_FALSE(make_plan(apart, 3, hints, Choice::kAutomatic).together);
  EXPECT_TRUE(make_plan(apart, 3, hints, Choice::kEnable).together);
  EXPECT_TRUE(make_plan(mixed, 3, hints, Choice::kAutomatic).together);
  EXPECT_FALSE(make_plan(mixed, 3, hints, Choice::kDisable).together);
  EXPECT_FALSE(make_plan(long_pieces, 3, hints, Choice::kAutomatic).together);
  EXPECT_FALSE(make_plan(loose, 3, hints, Choice::kEnable).together);
  EXPECT_FALSE(make_plan(nothing, 3, hints, Choice::kEnable).together);
}

// The windows of all aggregators in all rounds are the whole range, each byte once.
TEST(Plan, WindowsCoverTheRange) {
  for (const Count nodes : {1, 2, 3, 7, 100})
    for (const Count buffer : {1000, 4096, 10000, 1 << 20}) {
      const Extent extents[] = {{5000, 30000, 1, 1, 0}, {6000, 61234, 1, 1, 0}, {}, {100, 7000, 1, 1, 0}};
      const Plan plan = make_plan(extents, 4, hints_of(nodes, buffer), Choice::kEnable);
      ASSERT_LE(plan.aggregators, 4);
      std::vector<int> times(61234);
      for (int i = 0; i < plan.aggregators; ++i) {
        EXPECT_LT(plan.rank_of(i), 4);
        Count next = plan.part_of(i).first;
        for (Count round = 0; round < plan.rounds; ++round) {
          const Range window = plan.window_of(i, round);
          EXPECT_EQ(window.first, next);
          EXPECT_LE(window.end - window.first, buffer);
          for (Count k = window.first; k < window.end; ++k) ++times[static_cast<std::size_t>(k)];
          next = window.end;
        }
        EXPECT_EQ(next, plan.part_of(i).end);
      }
      for (Count k = 100; k < 61234; ++k) ASSERT_EQ(times[static_cast<std::size_t>(k)], 1) << "offset " << k;
    }
}

}  // namespace
}  // namespace starling::io
