// SPDX-License-Identifier: BSD-3-Clause
#include "comm/group.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "comm/entry.gen.h"

namespace starling::comm {
namespace {

using Peers = std::vector<Peer>;

constexpr Peer kSelf = 3;

Ref<Group> make(Peers peers) { return Ref<Group>::adopt(make_group(std::move(peers), kSelf)); }

Peers peers_of(const Group& group) {
  Peers peers;
  for (int r = 0; r < group.size; ++r) peers.push_back(group.peer(r));
  return peers;
}

// Runs a function that makes a group and gives its members.
template <class F>
Peers members(F&& call) {
  Group* made = nullptr;
  call(made);
  Peers peers = peers_of(*made);
  EXPECT_EQ(made->rank, made->rank_of(kSelf));
  group_free(made);
  EXPECT_EQ(made, nullptr);
  return peers;
}

template <class F>
int error_of(F&& call) {
  Group* made = nullptr;
  try {
    call(made);
  } catch (const Error& e) {
    return e.error_class;
  }
  group_free(made);
  return kSuccess;
}

TEST(Group, ConsecutivePeersStoreNoTable) {
  auto group = make({2, 3, 4, 5});
  EXPECT_TRUE(group->peers.empty());
  EXPECT_EQ(group->rank, 1);
  EXPECT_EQ(group->rank_of(5), 3);
  EXPECT_EQ(group->rank_of(1), kUndefined);
  EXPECT_EQ(group->rank_of(6), kUndefined);
  EXPECT_EQ(make({})->code, kCodeGroupEmpty);
  EXPECT_EQ(make({7})->rank, kUndefined);
}

TEST(Group, SetArithmeticKeepsTheOrder) {
  auto a = make({5, 3, 1}), b = make({1, 2, 3});
  EXPECT_EQ(members([&](Group*& g) { group_union(*a, *b, g); }), (Peers{5, 3, 1, 2}));
  EXPECT_EQ(members([&](Group*& g) { group_intersection(*a, *b, g); }), (Peers{3, 1}));
  EXPECT_EQ(members([&](Group*& g) { group_difference(*a, *b, g); }), (Peers{5}));
  EXPECT_EQ(members([&](Group*& g) { group_difference(*a, *a, g); }), (Peers{}));
}

TEST(Group, SelectsRanks) {
  auto group = make({10, 11, 12, 13, 14, 15, 16, 17, 18, 19});
  int ranks[] = {4, 0, 9};
  EXPECT_EQ(members([&](Group*& g) { group_incl(*group, 3, ranks, g); }), (Peers{14, 10, 19}));
  EXPECT_EQ(members([&](Group*& g) { group_excl(*group, 3, ranks, g); }), (Peers{11, 12, 13, 15, 16, 17, 18}));
  int ranges[] = {6, 9, 2, 1, 0, -1};
  EXPECT_EQ(members([&](Group*& g) { group_range_incl(*group, 2, ranges, g); }), (Peers{16, 18, 11, 10}));
  EXPECT_EQ(members([&](Group*& g) { group_range_excl(*group, 2, ranges, g); }), (Peers{12, 13, 14, 15, 17, 19}));
}

TEST(Group, RejectsWrongRanks) {
  auto group = make({1, 2, 3, 4});
  int outside[] = {4}, negative[] = {-1}, twice[] = {1, 1};
  EXPECT_EQ(error_of([&](Group*& g) { group_incl(*group, 1, outside, g); }), kErrRank);
  EXPECT_EQ(error_of([&](Group*& g) { group_excl(*group, 1, negative, g); }), kErrRank);
  EXPECT_EQ(error_of([&](Group*& g) { group_incl(*group, 2, twice, g); }), kErrRank);
  EXPECT_EQ(error_of([&](Group*& g) { group_incl(*group, -1, twice, g); }), kErrArg);
  int still[] = {0, 3, 0}, backward[] = {3, 0, 1}, far[] = {0, 4, 1}, wide[] = {0, 3, 2147483647};
  EXPECT_EQ(error_of([&](Group*& g) { group_range_incl(*group, 1, still, g); }), kErrArg);
  EXPECT_EQ(error_of([&](Group*& g) { group_range_incl(*group, 1, backward, g); }), kErrArg);
  EXPECT_EQ(error_of([&](Group*& g) { group_range_incl(*group, 1, far, g); }), kErrRank);
  EXPECT_EQ(members([&](Group*& g) { group_range_incl(*group, 1, wide, g); }), (Peers{1}));
}

TEST(Group, TranslatesAndCompares) {
  auto a = make({5, 3, 1}), b = make({1, 2, 3}), c = make({3, 5, 1});
  int ranks[] = {0, 1, 2, kProcNull, 1}, translated[5];
  for (int n : {5, 3}) {  // with and without an index
    group_translate_ranks(*a, n, ranks, *b, translated);
    EXPECT_EQ(translated[0], kUndefined);
    EXPECT_EQ(translated[1], 2);
    EXPECT_EQ(translated[2], 0);
  }
  group_translate_ranks(*a, 5, ranks, *b, translated);
  EXPECT_EQ(translated[3], kProcNull);
  int wrong = 3;
  EXPECT_THROW(group_translate_ranks(*a, 1, &wrong, *b, translated), Error);
  auto compare = [](const Ref<Group>& x, const Ref<Group>& y) {
    int result = 0;
    group_compare(*x, *y, result);
    return result;
  };
  EXPECT_EQ(compare(a, make({5, 3, 1})), kIdent);
  EXPECT_EQ(compare(a, c), kSimilar);
  EXPECT_EQ(compare(a, b), kUnequal);
  EXPECT_EQ(compare(make({}), make({})), kIdent);
}

}  // namespace
}  // namespace starling::comm
