// SPDX-License-Identifier: BSD-3-Clause
#include "profile/recorder.h"

#include <algorithm>

namespace starling::profile {

Recorder recorder;

namespace {

constexpr std::size_t kMaxChannels = 1 << 16;
constexpr std::uint64_t kCollective = 0x636f6c6c;  // keeps identities of collective operations from those of messages
Channel no_channel{0, -1, 0, nullptr};

std::atomic_flag writing = ATOMIC_FLAG_INIT;
// Inside of a call: calls that a tool or a callback of the user makes meanwhile are part of it.
thread_local bool inside [[gnu::tls_model("initial-exec")]] = false;

std::uint64_t hash(const std::vector<int>& ranks) {
  std::uint64_t h = ranks.size();
  for (int rank : ranks) h = mix(h, static_cast<std::uint64_t>(rank));
  return h;
}

}  // namespace

bool Recorder::enter() {
  if (!on || inside) return false;
  return inside = true;
}

void Recorder::begin_writing() {
  while (writing.test_and_set(std::memory_order_acquire)) {
  }
}

void Recorder::end_writing() {
  writing.clear(std::memory_order_release);
  inside = false;
}

// All members of a communicator make it together, so those made with the same members come in the same order everywhere:
// members and number in that order name it, without a message.
Comm* Recorder::find_comm(Word handle) {
  Comm*& known = comms_.at(handle);
  if (!known) {
    Members members;
    known = new Comm;
    if (library_->members(handle, members)) {
      std::uint64_t here = hash(members.local);
      std::uint64_t who =
          members.inter ? mix(std::min(here, hash(members.remote)), std::max(here, hash(members.remote))) : here;
      known->id = mix(who, made_.at(who)++) | 1;
      known->next = mix(known->id, kCollective);
      known->rank = members.rank;
      known->inter = members.inter;
      known->world = members.inter ? members.remote : members.local;
      known->size = known->world.size();
      known->peers.assign(known->size, {&no_channel, &no_channel});
    }
  }
  last_handle_ = handle;
  return last_comm_ = known;
}

// The object stays: requests may still refer to it.
void Recorder::forget_comm(Word handle) {
  if (Comm** known = comms_.find(handle)) comms_.erase(known);
  last_handle_ = ~Word{0};
}

std::uint64_t Recorder::find_type_size(Word datatype) {
  TypeSize& cached = sizes_[(datatype ^ datatype >> 6) % 64];
  if (cached.datatype != datatype) cached = {datatype, library_->type_size(datatype)};
  last_type_ = datatype;
  return last_size_ = cached.bytes;
}

void Recorder::forget_type(Word datatype) {
  sizes_[(datatype ^ datatype >> 6) % 64].datatype = ~Word{0};
  last_type_ = ~Word{0};
}

// Both sides of a channel make its first identity from the same words.
Channel* Recorder::find_channel(Comm& comm, Channel* Peer::*side, int peer, int tag) {
  const int world = comm.world[static_cast<std::size_t>(peer)];
  if (world < 0 || tag < 0) return nullptr;
  const bool sends = side == &Peer::sent;
  const auto from = static_cast<std::uint64_t>(sends ? rank_ : world), to = static_cast<std::uint64_t>(sends ? world : rank_);
  const std::uint64_t name = mix(comm.id, mix(from << 32 | to, static_cast<std::uint64_t>(tag)));
  Table<Channel*>& channels = sends ? sent_ : received_;
  Channel** known = channels.find(name);
  if (!known) {
    if (channels.size() >= kMaxChannels) {
      ++block_->lost_channels;
      return nullptr;
    }
    known = &channels.at(name);
    *known = new Channel{name, tag, static_cast<std::uint32_t>(world), &traffic_[world]};
  }
  return comm.peers[static_cast<std::size_t>(peer)].*side = *known;
}

// No room: keep half of the operations. All ranks of an operation keep or drop it alike, because its identity decides. False if
// the one that wants room is dropped.
bool Recorder::make_room(std::uint64_t identity) {
  while (next_event_ == end_events_) {
    if (block_->thinned == kMaxThinned) return false;
    ++block_->thinned;
    largest_identity_ = largest_kept_identity(block_->thinned);
    next_event_ = std::remove_if(events_, end_events_, [this](const Event& e) { return e.identity > largest_identity_; });
    block_->events = static_cast<std::uint64_t>(next_event_ - events_);
  }
  return identity <= largest_identity_;
}

void Recorder::forget(Word request) {
  Pending* known = requests_.find(request);
  if (!known) return;
  if (known->active && known->event.identity != 0) end(known->event, nullptr);
  requests_.erase(known);
}

}  // namespace starling::profile
