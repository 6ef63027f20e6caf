// SPDX-License-Identifier: BSD-3-Clause
#include "comm/topology.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace starling::comm {
namespace {

TEST(Cart, RankAndCoordsAreInverse) {
  Topology cart = make_cart({3, 2, 4}, {false, true, false}, 0);
  for (int r = 0; r < 24; ++r) EXPECT_EQ(rank_at(cart, coords_at(cart, r).data()), r);
  EXPECT_EQ(coords_at(cart, 13), (std::vector<int>{1, 1, 1}));
}

TEST(Cart, PeriodicCoordinatesWrap) {
  Topology cart = make_cart({3, 4}, {true, false}, 0);
  int wrapped[] = {-1, 2}, far[] = {7, 0}, outside[] = {0, 4};
  EXPECT_EQ(rank_at(cart, wrapped), 10);
  EXPECT_EQ(rank_at(cart, far), 4);
  EXPECT_THROW(rank_at(cart, outside), Error);
}

TEST(Cart, ShiftStopsAtBorders) {
  Topology cart = make_cart({3, 4}, {true, false}, 3);  // at (0, 3)
  EXPECT_EQ(shifted(cart, 0, 1), 7);
  EXPECT_EQ(shifted(cart, 0, -1), 11);
  EXPECT_EQ(shifted(cart, 0, -7), 11);
  EXPECT_EQ(shifted(cart, 1, 1), kProcNull);
  EXPECT_EQ(shifted(cart, 1, -3), 0);
  EXPECT_EQ(shifted(cart, 1, 0), 3);
  EXPECT_EQ(shifted(cart, 1, std::int64_t{1} << 31), kProcNull);
  EXPECT_EQ(cart.sources, (std::vector<int>{11, 7, 2, kProcNull}));
}

TEST(Cart, NoDimensions) {
  Topology cart = make_cart({}, {}, 0);
  EXPECT_EQ(rank_at(cart, nullptr), 0);
  EXPECT_TRUE(cart.sources.empty());
}

}  // namespace
}  // namespace starling::comm
