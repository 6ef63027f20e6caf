// SPDX-License-Identifier: BSD-3-Clause
#include "profile/recorder.h"

#include <algorithm>
#include <bit>

namespace starling::profile {

Recorder recorder;
std::atomic_flag recorder_lock = ATOMIC_FLAG_INIT;

namespace {

constexpr std::size_t kMaxChannels = 1 << 16;
constexpr std::uint64_t kCollective = 0x636f6c6c;  // keeps identities of collective operations from those of messages

std::uint64_t hash(const std::vector<int>& ranks) {
  std::uint64_t h = ranks.size();
  for (int rank : ranks) h = mix(h, static_cast<std::uint64_t>(rank));
  return h;
}

void count(SizeCount& bucket, std::uint64_t bytes) {
  ++bucket.messages;
  bucket.bytes += bytes;
}

}  // namespace

// All members of a communicator make it together, so those made with the same members come in the same order everywhere:
// members and number in that order name it, without a message.
Comm* Recorder::comm(Word handle) {
  if (handle == last_handle_) return last_comm_;
  Comm*& known = comms_.at(handle);
  if (!known) {
    Members members;
    known = new Comm;
    if (library_->members(handle, members)) {
      std::uint64_t here = hash(members.local);
      std::uint64_t who =
          members.inter ? mix(std::min(here, hash(members.remote)), std::max(here, hash(members.remote))) : here;
      known->id = mix(who, made_.at(who)++) | 1;
      known->rank = members.rank;
      known->inter = members.inter;
      known->peers = members.inter ? members.remote : members.local;
    }
  }
  last_handle_ = handle;
  return last_comm_ = known;
}

// The object stays: requests may still refer to it.
void Recorder::forget_comm(Word handle) {
  comms_.erase(handle);
  last_handle_ = ~Word{0};
}

std::uint64_t Recorder::type_size(Word datatype) {
  TypeSize& cached = sizes_[(datatype ^ datatype >> 6) % 64];
  if (cached.datatype != datatype) cached = {datatype, library_->type_size(datatype)};
  return cached.bytes;
}

void Recorder::forget_type(Word datatype) { sizes_[(datatype ^ datatype >> 6) % 64].datatype = ~Word{0}; }

// The identity of the next message of a channel: messages with the same communicator, sender, receiver and tag do not overtake.
std::uint64_t Recorder::number(Table<std::uint32_t>& channels, std::uint64_t channel, std::uint64_t message) {
  std::uint32_t* next = channels.find(channel);
  if (!next) {
    if (channels.size() >= kMaxChannels) {
      ++block_->lost_channels;
      return 0;
    }
    next = &channels.at(channel);
  }
  return mix(message, (*next)++);
}

Event Recorder::start(const Operation& operation, std::uint64_t post) {
  Event event{};
  event.post = post;
  event.role = operation.role;
  Comm& comm = *operation.comm;
  if (comm.id == 0) return event;
  const auto me = static_cast<std::uint64_t>(rank_);
  const auto tag = static_cast<std::uint64_t>(static_cast<std::int64_t>(operation.tag));
  const auto size_bits = static_cast<unsigned>(std::bit_width(operation.bytes));
  if (operation.role < Role::kSender) {
    event.identity = mix(comm.id ^ kCollective, comm.started++);
    if (operation.role == Role::kLeaf)
      event.partner = static_cast<std::uint32_t>(comm.peers[static_cast<std::size_t>(operation.peer)]);
    if (operation.role == Role::kPrefix) event.partner = static_cast<std::uint32_t>(comm.rank);
    count(block_->collective_sizes[size_bits], operation.bytes);
    return event;
  }
  if (operation.peer < 0 || operation.tag < 0 || static_cast<std::size_t>(operation.peer) >= comm.peers.size()) return event;
  const int world = comm.peers[static_cast<std::size_t>(operation.peer)];
  if (world < 0) return event;
  const auto peer = static_cast<std::uint64_t>(world);
  const std::uint64_t channel = mix(comm.id, tag << 32 | peer);
  event.partner = static_cast<std::uint32_t>(world);
  if (operation.role == Role::kSender) {
    count(block_->message_sizes[size_bits], operation.bytes);
    count(traffic_[peer], operation.bytes);
    event.identity = number(sent_, channel, mix(comm.id, mix(me << 32 | peer, tag)));
  } else {
    event.identity = number(received_, channel, mix(comm.id, mix(peer << 32 | me, tag)));
    if (operation.role == Role::kLookout && event.identity) --*received_.find(channel);  // the message stays
  }
  return event;
}

void Recorder::end(const Event& event, const Span* span) {
  if (event.identity == 0) return;
  Event whole = event;
  if (span) {
    whole.begin = span->begin;
    whole.end = span->end;
    whole.call = span->call;
  }
  write(whole);
}

void Recorder::write(const Event& event) {
  if (event.identity & mask_) return;
  if (block_->events == segment_.header().capacity) thin();
  if (event.identity & mask_) return;
  events_[block_->events] = event;
  std::atomic_signal_fence(std::memory_order_release);  // whoever reads after our sudden death finds only whole events
  ++block_->events;
}

// No room: keep half of the operations. All ranks of an operation keep or drop it alike, because its identity decides.
void Recorder::thin() {
  ++block_->thinned;
  mask_ = (std::uint64_t{1} << block_->thinned) - 1;
  Event* end = std::remove_if(events_, events_ + block_->events, [this](const Event& event) { return event.identity & mask_; });
  block_->events = static_cast<std::uint64_t>(end - events_);
}

void Recorder::add(Word request, const Pending& pending) {
  forget(request);  // some libraries give one handle to all operations that are complete when they return
  requests_.at(request) = pending;
}

void Recorder::completed(Word request, Pending& pending, const Span* span) {
  end(pending.event, span);
  pending.active = false;
  if (!pending.persistent) requests_.erase(request);
}

// What others may have waited for is written down even if nobody here ever waits for it.
void Recorder::forget(Word request) {
  Pending* known = requests_.find(request);
  if (!known) return;
  if (known->active) end(known->event, nullptr);
  requests_.erase(request);
}

}  // namespace starling::profile
