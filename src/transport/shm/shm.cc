// SPDX-License-Identifier: BSD-3-Clause
#include "transport/shm/shm.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "base/settings.h"
#include "datatype/datatype.h"
#include "transport/doorbell.h"
#include "transport/shm/cma.h"
#include "transport/shm/ring.h"

namespace starling::transport {

namespace {

Ring& ring_of(const JobMapping& job, Peer receiver, Peer sender) {
  return *reinterpret_cast<Ring*>(job.ring(receiver, sender));
}

class ShmEndpoint final : public Endpoint {
 public:
  ShmEndpoint(const JobMapping& job, Peer self, Peer to)
      : slot_(job.slot(to)), writer_(ring_of(job, to, self)), out_(ring_of(job, to, self)), in_(ring_of(job, self, to)) {
    peer = to;
    eager_limit = static_cast<std::size_t>(std::clamp<std::int64_t>(settings().smp_eagersize, kInlinePayload, kMostPayload));
    short_limit = eager_limit;
    copy_chunk = static_cast<std::size_t>(std::max<std::int64_t>(settings().smp_cma_chunk, 4096));
    direct = settings().smp_use_cma;
    // Tells the receiver to look at this ring from now on.
    const std::uint32_t bit = self % kSenderBits;
    slot_.senders[bit / 32].fetch_or(std::uint32_t{1} << bit % 32, std::memory_order_relaxed);
    slot_.new_senders.fetch_add(1, std::memory_order_release);
  }

  bool send_short(const AmHeader& header, const void* payload, std::size_t length) override {
    if (!writer_.write(header, static_cast<const std::byte*>(payload), length)) return false;
    doorbell::ring(slot_.sleeping);
    return true;
  }

  bool send_packed(const AmHeader& header, const PackSource& source) override {
    const bool sent = writer_.write_with(header, static_cast<std::size_t>(source.length), [&source](std::byte* to) {
      datatype::pack(source.buffer, source.count, *source.type, source.offset, to, source.length);
    });
    if (sent) doorbell::ring(slot_.sleeping);
    return sent;
  }

  bool get(void* local, std::uint64_t remote_address, std::size_t length) override {
    return cma_read(pid(), local, remote_address, length);
  }
  bool put(const void* local, std::uint64_t remote_address, std::size_t length) override {
    return cma_write(pid(), local, remote_address, length);
  }

  SharedCopy* open_copy(std::uint32_t& id) override {
    for (std::uint64_t free = ~open_copies_ & kAllCopies; free != 0; free &= free - 1) {
      id = static_cast<std::uint32_t>(std::countr_zero(free));
      SharedCopy& copy = out_.copies[id];
      if (copy.busy.load(std::memory_order_acquire)) continue;  // the receiver has not let go yet
      open_copies_ |= std::uint64_t{1} << id;
      copy.target.store(0, std::memory_order_relaxed);
      copy.busy.store(1, std::memory_order_relaxed);  // the message that names the copy publishes both
      return &copy;
    }
    id = kNoCopy;
    return nullptr;
  }
  void close_copy(std::uint32_t id) override { open_copies_ &= ~(std::uint64_t{1} << id); }
  SharedCopy* find_copy(std::uint32_t id) override { return &in_.copies[id]; }
  void notify() override { doorbell::ring(slot_.sleeping); }

 private:
  static constexpr std::uint64_t kAllCopies = (std::uint64_t{1} << kCopies) - 1;

  pid_t pid() const { return static_cast<pid_t>(slot_.pid.load(std::memory_order_relaxed)); }

  RankSlot& slot_;
  RingWriter writer_;
  Ring& out_;
  Ring& in_;
  std::uint64_t open_copies_ = 0;  // bit i: out_.copies[i] is used by a send of ours
};

class ShmTransport final : public Transport {
 public:
  ShmTransport(Inbox& inbox, const JobMapping& job)
      : inbox_(inbox), job_(job), slot_(job.slot(inbox.self())), endpoints_(job.header().ranks) {
    inbox.bell = &slot_.sleeping;
  }

  const char* name() const override { return "shm"; }
  bool reaches(Peer peer) const override { return peer < endpoints_.size(); }

  Endpoint& connect(Peer peer) override {
    if (!endpoints_[peer]) endpoints_[peer] = std::make_unique<ShmEndpoint>(job_, inbox_.self(), peer);
    return *endpoints_[peer];
  }

  int progress() override {
    if (slot_.new_senders.load(std::memory_order_acquire) != senders_seen_) [[unlikely]]
      meet_senders();
    int delivered = 0;
    for (RingReader& reader : readers_) delivered += reader.poll(inbox_);
    return delivered;
  }

  // The worker has made progress since its bell is set, and found nothing; senders ring.
  bool arm() override { return true; }
  void disarm() override {}

 private:
  // Looks for peers that have begun to send to this rank.
  void meet_senders() {
    senders_seen_ = slot_.new_senders.load(std::memory_order_acquire);
    for (std::uint32_t word = 0; word < kSenderBits / 32; ++word) {
      std::uint32_t fresh = slot_.senders[word].load(std::memory_order_relaxed) & ~known_[word];
      known_[word] |= fresh;
      for (; fresh != 0; fresh &= fresh - 1) {
        const auto first = word * 32 + static_cast<std::uint32_t>(std::countr_zero(fresh));
        for (Peer sender = first; sender < endpoints_.size(); sender += kSenderBits)
          readers_.emplace_back(ring_of(job_, inbox_.self(), sender), sender);
      }
    }
  }

  Inbox& inbox_;
  JobMapping job_;
  RankSlot& slot_;
  std::vector<std::unique_ptr<ShmEndpoint>> endpoints_;  // by peer, made on first use
  std::vector<RingReader> readers_;                      // of the peers that have sent something
  std::uint32_t senders_seen_ = 0;
  std::uint32_t known_[kSenderBits / 32] = {};
};

}  // namespace

std::unique_ptr<Transport> make_shm(Inbox& inbox, const JobMapping& job) { return std::make_unique<ShmTransport>(inbox, job); }

}  // namespace starling::transport
