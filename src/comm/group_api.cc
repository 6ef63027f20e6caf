// SPDX-License-Identifier: BSD-3-Clause
// The group functions (MPI 5.0 section 7.3): set arithmetic on lists of peers, all of it local.
#include <algorithm>
#include <vector>

#include "base/error.h"
#include "comm/entry.gen.h"
#include "comm/group.h"

namespace starling::comm {

namespace {

// The peer of this process if it is known from one of the groups; a peer that no group has, otherwise.
Peer self_of(const Group& a, const Group& b) {
  if (a.rank != kUndefined) return a.peer(a.rank);
  if (b.rank != kUndefined) return b.peer(b.rank);
  return ~Peer{0};
}

void check_rank(const Group& group, int rank) {
  if (rank < 0 || rank >= group.size) fail(kErrRank, "rank %d is not in the group, which has %d processes", rank, group.size);
}

// Marks each rank once; a second time is an error.
void mark(std::vector<bool>& marked, const Group& group, int rank) {
  check_rank(group, rank);
  auto r = static_cast<std::size_t>(rank);
  if (marked[r]) fail(kErrRank, "rank %d is named twice", rank);
  marked[r] = true;
}

Group* select(const Group& group, const std::vector<int>& ranks) {
  std::vector<Peer> peers;
  peers.reserve(ranks.size());
  for (int rank : ranks) peers.push_back(group.peer(rank));
  return make_group(std::move(peers), self_of(group, group));
}

Group* include(const Group& group, const std::vector<int>& ranks) {
  std::vector<bool> marked(static_cast<std::size_t>(group.size));
  for (int rank : ranks) mark(marked, group, rank);
  return select(group, ranks);
}

Group* exclude(const Group& group, const std::vector<int>& ranks) {
  std::vector<bool> marked(static_cast<std::size_t>(group.size));
  for (int rank : ranks) mark(marked, group, rank);
  std::vector<int> rest;
  for (int r = 0; r < group.size; ++r)
    if (!marked[static_cast<std::size_t>(r)]) rest.push_back(r);
  return select(group, rest);
}

// The ranks of n triplets (first, last, stride); the last one is included if the stride meets it.
std::vector<int> expand(const Group& group, int n, const int* ranges) {
  std::vector<int> ranks;
  for (int i = 0; i < n; ++i) {
    int first = ranges[3 * i], last = ranges[3 * i + 1], stride = ranges[3 * i + 2];
    if (stride == 0) fail(kErrArg, "the stride of range %d is 0", i);
    check_rank(group, first);
    check_rank(group, last);
    if (first != last && (first < last) != (stride > 0))
      fail(kErrArg, "range %d runs from %d to %d, but its stride is %d", i, first, last, stride);
    // 64 bits: first + stride may pass the largest int.
    for (std::int64_t r = first; stride > 0 ? r <= last : r >= last; r += stride) ranks.push_back(static_cast<int>(r));
  }
  return ranks;
}

std::vector<int> to_vector(int n, const int* ranks) {
  if (n < 0) fail(kErrArg, "the number of ranks is %d, but must not be negative", n);
  return std::vector<int>(ranks, ranks + n);
}

// The members of `a` that are (or are not) in `b`, in the order of `a`.
std::vector<Peer> filter(const Group& a, const Group& b, bool in_b) {
  PeerIndex index(b);
  std::vector<Peer> peers;
  for (int r = 0; r < a.size; ++r)
    if ((index.rank_of(a.peer(r)) != kUndefined) == in_b) peers.push_back(a.peer(r));
  return peers;
}

}  // namespace

void group_size(Group& group, int& size) { size = group.size; }

void group_rank(Group& group, int& rank) { rank = group.rank; }

void group_compare(Group& group1, Group& group2, int& result) {
  result = same_order(group1, group2) ? kIdent : same_members(group1, group2) ? kSimilar : kUnequal;
}

void group_union(Group& group1, Group& group2, Group*& newgroup) {
  std::vector<Peer> peers = filter(group1, group1, true);
  std::vector<Peer> added = filter(group2, group1, false);
  peers.insert(peers.end(), added.begin(), added.end());
  newgroup = make_group(std::move(peers), self_of(group1, group2));
}

void group_intersection(Group& group1, Group& group2, Group*& newgroup) {
  newgroup = make_group(filter(group1, group2, true), self_of(group1, group2));
}

void group_difference(Group& group1, Group& group2, Group*& newgroup) {
  newgroup = make_group(filter(group1, group2, false), self_of(group1, group2));
}

void group_incl(Group& group, int n, const int* ranks, Group*& newgroup) { newgroup = include(group, to_vector(n, ranks)); }

void group_excl(Group& group, int n, const int* ranks, Group*& newgroup) { newgroup = exclude(group, to_vector(n, ranks)); }

void group_range_incl(Group& group, int n, const int* ranges, Group*& newgroup) {
  newgroup = include(group, expand(group, n, ranges));
}

void group_range_excl(Group& group, int n, const int* ranges, Group*& newgroup) {
  newgroup = exclude(group, expand(group, n, ranges));
}

void group_translate_ranks(Group& group1, int n, const int* ranks1, Group& group2, int* ranks2) {
  for (int i = 0; i < n; ++i)
    if (ranks1[i] != kProcNull) check_rank(group1, ranks1[i]);
  // Sorting pays only when many ranks are looked up.
  if (n < 4) {
    for (int i = 0; i < n; ++i) ranks2[i] = ranks1[i] == kProcNull ? kProcNull : group2.rank_of(group1.peer(ranks1[i]));
    return;
  }
  PeerIndex index(group2);
  for (int i = 0; i < n; ++i) ranks2[i] = ranks1[i] == kProcNull ? kProcNull : index.rank_of(group1.peer(ranks1[i]));
}

void group_free(Group*& group) {
  release(group);  // MPI_GROUP_EMPTY may be freed: functions return it like any other group
  group = nullptr;
}

}  // namespace starling::comm
