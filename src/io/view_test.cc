// SPDX-License-Identifier: BSD-3-Clause
#include "io/view.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "datatype/entry.gen.h"

namespace starling::io {
namespace {

Datatype& predefined(unsigned code) { return *predefined_datatype(code); }

Ref<Datatype> resized(Datatype& type, Count lb, Count extent) {
  Datatype* made = nullptr;
  datatype::type_create_resized(type, lb, extent, made, true);
  return Ref<Datatype>::adopt(made);
}

Ref<Datatype> indexed(const std::vector<Count>& lengths, const std::vector<Count>& displacements) {
  Datatype* made = nullptr;
  datatype::type_create_hindexed(static_cast<Count>(lengths.size()), lengths.data(), displacements.data(),
                                 predefined(kCodeByte), made, true);
  return Ref<Datatype>::adopt(made);
}

using Pieces = std::vector<std::pair<Count, Count>>;
Pieces pieces_of(const FileView& view, Count position, Count bytes) {
  Pieces pieces;
  view.for_each_piece(position, bytes, [&pieces](Count offset, Count length) {
    pieces.emplace_back(offset, length);
    return true;
  });
  return pieces;
}

TEST(FileView, BytesOfTheWholeFile) {
  const FileView view;
  EXPECT_TRUE(view.contiguous());
  EXPECT_TRUE(view.ordered());
  EXPECT_EQ(view.offset(Count{1} << 40), Count{1} << 40);
  EXPECT_EQ(view.positions_before(77), 77);
  EXPECT_EQ(pieces_of(view, 10, 20), (Pieces{{10, 20}}));
}

TEST(FileView, TouchingTilesAreOnePiece) {
  const FileView view(100, Ref<Datatype>(&predefined(kCodeInt)), 4);
  EXPECT_EQ(pieces_of(view, 3, 50), (Pieces{{103, 50}}));
}

TEST(FileView, PiecesOfTilesWithGaps) {
  const FileView view(1000, resized(*indexed({2, 3}, {1, 5}), 0, 10), 1);
  EXPECT_EQ(pieces_of(view, 0, 5), (Pieces{{1001, 2}, {1005, 3}}));
  EXPECT_EQ(pieces_of(view, 1, 6), (Pieces{{1002, 1}, {1005, 3}, {1011, 2}}));
  EXPECT_EQ(pieces_of(view, 52, 1), (Pieces{{1105, 1}}));
  EXPECT_EQ(pieces_of(view, 52, 0), Pieces{});
}

TEST(FileView, StopsWhenTheVisitorHasEnough) {
  const FileView view(0, resized(predefined(kCodeByte), 0, 4), 1);
  int visits = 0;
  view.for_each_piece(0, 1000, [&visits](Count, Count) { return ++visits < 3; });
  EXPECT_EQ(visits, 3);
}

TEST(FileView, Ordered) {
  EXPECT_TRUE(ordered(*indexed({2, 3}, {1, 5})));
  EXPECT_TRUE(ordered(*indexed({}, {})));
  EXPECT_FALSE(ordered(*indexed({2, 3}, {5, 1})));
  EXPECT_FALSE(ordered(*indexed({2, 3}, {1, 2})));  // overlap
  Datatype* rows = nullptr;
  datatype::type_create_hvector(4, 3, 2, predefined(kCodeByte), rows, true);  // overlapping blocks
  EXPECT_FALSE(ordered(*Ref<Datatype>::adopt(rows)));
  // In order by itself, but tiles reach into each other.
  EXPECT_TRUE(ordered(*indexed({1, 1}, {0, 8})));
  EXPECT_FALSE(FileView(0, resized(*indexed({1, 1}, {0, 8}), 0, 4), 1).ordered());
}

// positions_before is the inverse of offset, for random filetypes.
TEST(FileView, PositionsBefore) {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<Count> lengths, displacements;
    Count at = static_cast<Count>(random() % 4);
    for (unsigned i = 0; i < 1 + random() % 6; ++i) {
      lengths.push_back(1 + static_cast<Count>(random() % 9));
      displacements.push_back(at);
      at += lengths.back() + static_cast<Count>(random() % 7);
    }
    const FileView view(static_cast<Count>(random() % 50), resized(*indexed(lengths, displacements), 0, at), 1);
    ASSERT_TRUE(view.ordered());
    Count before = 0;
    for (Count offset = 0; offset < 400; ++offset) {
      EXPECT_EQ(view.positions_before(offset), before) << "offset " << offset;
      if (view.offset(before) == offset) ++before;
    }
  }
}

}  // namespace
}  // namespace starling::io
