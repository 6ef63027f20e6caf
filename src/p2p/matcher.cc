// SPDX-License-Identifier: BSD-3-Clause
#include "p2p/matcher.h"

#include <cstring>
#include <new>
#include <utility>

namespace starling::p2p {

namespace {

constexpr std::size_t kFirstBins = 16;
constexpr std::size_t kMostBins = std::size_t{1} << 16;
constexpr std::size_t kSpareBytes = 192;  // payload up to which nodes are of one size and are reused
constexpr std::size_t kMostSpares = 1024;

// Removes `op` from a singly linked list; false if it is not there.
template <class Bin>
bool unlink(Bin& bin, RecvOp* op) {
  RecvOp* previous = nullptr;
  for (RecvOp* p = bin.first; p; previous = p, p = p->next) {
    if (p != op) continue;
    (previous ? previous->next : bin.first) = op->next;
    if (bin.last == op) bin.last = previous;
    return true;
  }
  return false;
}

template <class Bin>
void append(Bin& bin, RecvOp* op) {
  op->next = nullptr;
  (bin.last ? bin.last->next : bin.first) = op;
  bin.last = op;
}

}  // namespace

Matcher::Matcher() : posted_bins_(kFirstBins), unexpected_bins_(kFirstBins) {}

Matcher::~Matcher() {
  while (Unexpected* message = first_) {
    first_ = message->next;
    operator delete(message);
  }
  while (Unexpected* message = spare_) {
    spare_ = message->next;
    operator delete(message);
  }
}

void Matcher::post_further(RecvOp& op) {
  if (single_) insert(*take_single());
  if (posted_ >= 2 * posted_bins_.size() && posted_bins_.size() < kMostBins) grow_posted();
  insert(op);
  ++posted_;
}

void Matcher::insert(RecvOp& op) {
  const bool wild = op.source == kAnySource || op.tag == kAnyTag;
  append(wild ? wild_ : posted_bins_[hash(op.context, op.source, op.tag) & (posted_bins_.size() - 1)], &op);
}

RecvOp* Matcher::match_binned(const AmHeader& header) {
  // First the oldest of the right bin, with its predecessor for the removal, then an older one with a wildcard.
  PostedBin* bin = &posted_bins_[hash(header.context, header.source, header.tag) & (posted_bins_.size() - 1)];
  RecvOp* before = nullptr;
  RecvOp* found = bin->first;
  while (found && !accepts(*found, header)) before = std::exchange(found, found->next);
  RecvOp* wild_before = nullptr;
  for (RecvOp* op = wild_.first; op && (!found || op->order < found->order); wild_before = std::exchange(op, op->next)) {
    if (!accepts(*op, header)) continue;
    found = op;
    before = wild_before;
    bin = &wild_;
    break;
  }
  if (!found) return nullptr;
  (before ? before->next : bin->first) = found->next;
  if (bin->last == found) bin->last = before;
  --posted_;
  return found;
}

bool Matcher::remove(RecvOp& op) {
  if (single_ == &op) {
    take_single();
  } else {
    const bool wild = op.source == kAnySource || op.tag == kAnyTag;
    auto& bin = wild ? wild_ : posted_bins_[hash(op.context, op.source, op.tag) & (posted_bins_.size() - 1)];
    if (!unlink(bin, &op)) return false;
  }
  --posted_;
  return true;
}

// Entries with equal keys come from the same bin, so that appending them in turn keeps their order.
void Matcher::grow_posted() {
  std::vector<PostedBin> old(posted_bins_.size() * 4);
  old.swap(posted_bins_);
  for (PostedBin& bin : old)
    for (RecvOp* op = bin.first; op;) insert(*std::exchange(op, op->next));
}

void Matcher::grow_unexpected() {
  unexpected_bins_.assign(unexpected_bins_.size() * 4, {});
  for (Unexpected* message = first_; message; message = message->next) link_bin(*message);
}

void Matcher::link_bin(Unexpected& message) {
  const AmHeader& h = message.header;
  UnexpectedBin& bin = unexpected_bins_[hash(h.context, h.source, h.tag) & (unexpected_bins_.size() - 1)];
  message.bin_next = nullptr;
  message.bin_previous = bin.last;
  (bin.last ? bin.last->bin_next : bin.first) = &message;
  bin.last = &message;
}

void Matcher::add_unexpected(const AmHeader& header, Peer from, const std::byte* payload, std::size_t length, Count bytes) {
  void* memory;
  if (length <= kSpareBytes && spare_) {
    memory = std::exchange(spare_, spare_->next);
    --spares_;
  } else {
    memory = operator new(sizeof(Unexpected) + (length <= kSpareBytes ? kSpareBytes : length));
  }
  auto* message =
      new (memory) Unexpected{header, from, static_cast<std::uint32_t>(length), bytes, nullptr, nullptr, nullptr, last_};
  if (length != 0) std::memcpy(message->payload(), payload, length);
  (last_ ? last_->next : first_) = message;
  last_ = message;
  if (unexpected_ >= 2 * unexpected_bins_.size() && unexpected_bins_.size() < kMostBins) {
    grow_unexpected();
  } else {
    link_bin(*message);
  }
  ++unexpected_;
  unexpected_bytes_ += length;
  if (unexpected_ > most_unexpected_) most_unexpected_ = unexpected_;
}

Unexpected* Matcher::search(const Pattern& pattern) const {
  if (pattern.wild()) {
    for (Unexpected* message = first_; message; message = message->next)
      if (pattern.accepts(message->header)) return message;
    return nullptr;
  }
  auto& bin = unexpected_bins_[hash(pattern.context, pattern.source, pattern.tag) & (unexpected_bins_.size() - 1)];
  for (Unexpected* message = bin.first; message; message = message->bin_next)
    if (pattern.accepts(message->header)) return message;
  return nullptr;
}

void Matcher::take(Unexpected& message) {
  const AmHeader& h = message.header;
  UnexpectedBin& bin = unexpected_bins_[hash(h.context, h.source, h.tag) & (unexpected_bins_.size() - 1)];
  (message.bin_previous ? message.bin_previous->bin_next : bin.first) = message.bin_next;
  (message.bin_next ? message.bin_next->bin_previous : bin.last) = message.bin_previous;
  (message.previous ? message.previous->next : first_) = message.next;
  (message.next ? message.next->previous : last_) = message.previous;
  --unexpected_;
  unexpected_bytes_ -= message.length;
}

std::size_t Matcher::posted_in(Context context) const {
  std::size_t count = 0;
  for_each_posted([&](const RecvOp& op) { count += op.context == context; });
  return count;
}

std::size_t Matcher::unexpected_in(Context context) const {
  std::size_t count = 0;
  for (const Unexpected* message = first_; message; message = message->next) count += message->header.context == context;
  return count;
}

void Matcher::recycle(Unexpected* message) {
  if (message->length <= kSpareBytes && spares_ < kMostSpares) {
    message->next = spare_;
    spare_ = message;
    ++spares_;
  } else {
    operator delete(message);
  }
}

}  // namespace starling::p2p
