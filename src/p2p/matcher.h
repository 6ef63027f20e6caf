// SPDX-License-Identifier: BSD-3-Clause
// Matcher: which message goes to which receive (MPI 5.0 section 3.5). One for each worker, for all transports.
//
// Posted receives with a definite source and tag lie in bins hashed by (context, source, tag), those with a wildcard in one
// list; both are in posting order, and a posting number tells which of two candidates was first. Unexpected messages lie in
// bins hashed the same way and, for receives with wildcards, also in one list in order of arrival. So the common case takes one
// short look, whatever the number of other messages. As long as there is only one posted receive it stays in a slot of its own,
// outside the bins: the common case of a blocking MPI_Recv.
//
// Thread-safety: none (worker lock). Memory: the bins grow with the number of entries; nodes of small unexpected messages are
// reused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/constants.gen.h"
#include "base/types.h"
#include "p2p/p2p.h"

namespace starling::p2p {

// What a receive or probe looks for.
struct Pattern {
  Context context;
  int source;  // or kAnySource
  int tag;     // or kAnyTag
  bool wild() const { return source == kAnySource || tag == kAnyTag; }
  bool accepts(const AmHeader& m) const {
    return context == m.context && (source == m.source || source == kAnySource) && (tag == m.tag || tag == kAnyTag);
  }
};

// A message that came before its receive: its header and payload (the data of an eager message, the RtsPayload of a
// rendezvous). Owned by the matcher until taken out, then by the taker, who gives it back with Matcher::recycle.
struct Unexpected {
  AmHeader header;
  Peer from;
  std::uint32_t length;  // bytes of payload, which follows the structure
  Count bytes;           // of the message
  Unexpected* bin_next;  // same bin, in order of arrival
  Unexpected* bin_previous;
  Unexpected* next;  // all, in order of arrival
  Unexpected* previous;
  const std::byte* payload() const { return reinterpret_cast<const std::byte*>(this + 1); }
  std::byte* payload() { return reinterpret_cast<std::byte*>(this + 1); }
};

class Matcher {
 public:
  Matcher();
  ~Matcher();
  Matcher(const Matcher&) = delete;
  Matcher& operator=(const Matcher&) = delete;

  // A receive (context, source and tag set) for which no unexpected message is there.
  void post(RecvOp& op) {
    op.order = ++posted_order_;
    op.next = nullptr;
    if (posted_ == 0) {
      single_ = &op;
      posted_ = 1;
    } else {
      post_further(op);
    }
  }
  // The receive that takes this message, removed; nullptr if there is none.
  RecvOp* match(const AmHeader& header) {
    if (posted_ == 0) return nullptr;
    if (single_) {
      if (!accepts(*single_, header)) return nullptr;
      posted_ = 0;
      return take_single();
    }
    return match_binned(header);
  }
  // Takes a posted receive out again. False if it is not posted (any more).
  bool remove(RecvOp& op);

  // Copies the payload. `bytes` is the size of the message.
  void add_unexpected(const AmHeader& header, Peer from, const std::byte* payload, std::size_t length, Count bytes);
  // The first unexpected message that the pattern accepts, or nullptr.
  Unexpected* find_unexpected(const Pattern& pattern) const { return unexpected_ == 0 ? nullptr : search(pattern); }
  // Removes it from the queue; it is the caller's then.
  void take(Unexpected& message);
  void recycle(Unexpected* message);

  std::size_t posted() const { return posted_; }
  std::size_t unexpected() const { return unexpected_; }
  std::size_t unexpected_bytes() const { return unexpected_bytes_; }
  // The most unexpected messages there have been at a time since this was last asked; from now on counted anew.
  std::size_t take_most_unexpected() { return std::exchange(most_unexpected_, unexpected_); }
  // Calls visit(const RecvOp&) for all posted receives, in no order.
  template <class F>
  void for_each_posted(F&& visit) const {
    if (single_) visit(*single_);
    const auto visit_list = [&](const RecvOp* op) {
      for (; op; op = op->next) visit(*op);
    };
    for (const PostedBin& bin : posted_bins_) visit_list(bin.first);
    visit_list(wild_.first);
  }
  // Those of one communicator.
  std::size_t posted_in(Context context) const;
  std::size_t unexpected_in(Context context) const;

 private:
  struct PostedBin {
    RecvOp* first = nullptr;
    RecvOp* last = nullptr;
  };
  struct UnexpectedBin {
    Unexpected* first = nullptr;
    Unexpected* last = nullptr;
  };

  static bool accepts(const RecvOp& op, const AmHeader& header) {
    return Pattern{op.context, op.source, op.tag}.accepts(header);
  }
  static std::size_t hash(Context context, int source, int tag) {
    std::uint64_t h = context ^ (std::uint64_t{static_cast<std::uint32_t>(source)} << 32 | static_cast<std::uint32_t>(tag));
    return static_cast<std::size_t>((h * 0x9e3779b97f4a7c15u) >> 32);
  }
  RecvOp* take_single() {
    RecvOp* op = single_;
    single_ = nullptr;
    return op;
  }
  void post_further(RecvOp& op);
  void insert(RecvOp& op);
  RecvOp* match_binned(const AmHeader& header);
  void grow_posted();
  void grow_unexpected();
  void link_bin(Unexpected& message);
  Unexpected* search(const Pattern& pattern) const;

  RecvOp* single_ = nullptr;  // the only posted receive
  std::size_t posted_ = 0;
  std::uint64_t posted_order_ = 0;
  std::vector<PostedBin> posted_bins_;  // a power of two
  PostedBin wild_;

  std::size_t unexpected_ = 0;
  std::size_t most_unexpected_ = 0;
  std::size_t unexpected_bytes_ = 0;
  std::vector<UnexpectedBin> unexpected_bins_;
  Unexpected* first_ = nullptr;  // all unexpected messages in order of arrival
  Unexpected* last_ = nullptr;
  Unexpected* spare_ = nullptr;  // nodes of kSpareBytes payload for reuse
  std::size_t spares_ = 0;
};

}  // namespace starling::p2p
