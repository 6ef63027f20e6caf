// SPDX-License-Identifier: BSD-3-Clause
#include "transport/shm/shm.h"

#include <bit>
#include <vector>

#include "transport/shm/endpoint.h"
#include "transport/shm/guests.h"

namespace starling::transport {

namespace {

class ShmTransport final : public Transport {
 public:
  ShmTransport(Inbox& inbox, const JobMapping& job, int worker)
      : inbox_(inbox),
        job_(job),
        worker_(worker),
        slot_(job.slot(inbox.self()).worker[worker]),
        guests_(inbox, job),
        endpoints_(job.header().ranks) {
    inbox.bell = &job.slot(inbox.self()).sleeping;
    inbox.waiting = &slot_.waiting;
  }

  const char* name() const override { return "shm"; }
  // All processes of this job, and of others that were made known.
  bool reaches(Peer) const override { return true; }

  Endpoint& connect(Peer peer) override {
    if (peer >= endpoints_.size()) return guests_.connect(peer);
    if (!endpoints_[peer]) {
      const Peer self = inbox_.self();
      endpoints_[peer] =
          std::make_unique<ShmEndpoint>(job_.slot(peer), worker_, ring_of(peer, self), &ring_of(self, peer), peer);
      announce(job_.slot(peer).worker[worker_], self);
    }
    return *endpoints_[peer];
  }

  bool disconnect(Peer peer) override { return guests_.disconnect(peer); }

  int progress() override {
    if (slot_.new_senders.load(std::memory_order_acquire) != senders_seen_) [[unlikely]]
      meet_senders();
    int delivered = 0;
    for (RingReader& reader : readers_) delivered += reader.poll(inbox_);
    if (guests_.any()) [[unlikely]]
      delivered += guests_.progress();
    return delivered;
  }

  // The worker has made progress since its bell is set, and found nothing; senders ring. Messages that still wait for room have
  // been tried in that pass.
  bool arm() override {
    guests_.check();
    bool lacked_room = guests_.lacked_room();
    for (auto& endpoint : endpoints_)
      if (endpoint) lacked_room |= endpoint->lacked_room();
    return !lacked_room;
  }

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
          readers_.emplace_back(ring_of(inbox_.self(), sender), sender);
      }
    }
    if (worker_ == 0) guests_.meet();
  }

  // Tells the receiver to look at the ring from `self` from now on.
  static void announce(WorkerSlot& receiver, Peer self) {
    const std::uint32_t bit = self % kSenderBits;
    receiver.senders[bit / 32].fetch_or(std::uint32_t{1} << bit % 32, std::memory_order_relaxed);
    receiver.new_senders.fetch_add(1, std::memory_order_release);
  }

  Ring& ring_of(Peer receiver, Peer sender) const {
    return *reinterpret_cast<Ring*>(job_.ring(receiver, sender, static_cast<std::uint32_t>(worker_)));
  }

  Inbox& inbox_;
  JobMapping job_;
  const int worker_;
  WorkerSlot& slot_;
  Guests guests_;
  std::vector<std::unique_ptr<ShmEndpoint>> endpoints_;  // by peer, made on first use
  std::vector<RingReader> readers_;                      // of the peers that have sent something
  std::uint32_t senders_seen_ = 0;
  std::uint32_t known_[kSenderBits / 32] = {};
};

}  // namespace

std::unique_ptr<Transport> make_shm(Inbox& inbox, const JobMapping& job, int worker) {
  return std::make_unique<ShmTransport>(inbox, job, worker);
}

}  // namespace starling::transport
