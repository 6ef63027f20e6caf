// SPDX-License-Identifier: BSD-3-Clause
#include "transport/shm/guests.h"

#include <signal.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "base/error.h"
#include "object/errhandler.h"
#include "transport/doorbell.h"

namespace starling::transport {

namespace {

// Tells a rank of another job to look at its claims.
void call(RankSlot& slot) {
  slot.worker[0].new_senders.fetch_add(1, std::memory_order_release);
  doorbell::ring(slot.sleeping);
}

// Gives the memory back, which makes it zero; by hand where that is not done, whatever is said: emulators of other processors
// take the call and do nothing. The first cell of a ring that was used is not zero.
void clear(Ring& ring) {
  const bool given = madvise(&ring, kDefaultRingBytes, MADV_REMOVE) == 0;
  if (!given || ring.cells[0].sequence.load(std::memory_order_relaxed) != 0)
    std::memset(static_cast<void*>(&ring), 0, sizeof ring);
}

}  // namespace

std::shared_ptr<Guests::Job> Guests::job_of(const ProcessAddress& member) const {
  for (const End& end : ends_)
    if (end.job->mapping.header().job_id == member.job_id) return end.job;
  return std::make_shared<Job>(member);
}

Guests::End* Guests::end_of(Peer peer) {
  auto found = std::find_if(ends_.begin(), ends_.end(), [peer](const End& end) { return end.endpoint->peer == peer; });
  return found == ends_.end() ? nullptr : &*found;
}

Guests::Reader* Guests::reader_of(Peer peer) {
  auto found = std::find_if(readers_.begin(), readers_.end(), [peer](const Reader& reader) { return reader.peer == peer; });
  return found == readers_.end() ? nullptr : &*found;
}

Endpoint& Guests::connect(Peer peer) {
  if (End* known = end_of(peer)) return *known->endpoint;
  const ProcessAddress address = inbox_.address(peer);
  std::shared_ptr<Job> job = job_of(address);
  const JobMapping& theirs = job->mapping;
  for (std::uint32_t number = 0; number < kGuestRings; ++number) {
    GuestClaim& claim = theirs.guest(address.rank, number);
    GuestState free = GuestState::kFree;
    // acquire: the ring has been cleared before.
    if (!claim.state.compare_exchange_strong(free, GuestState::kTaken, std::memory_order_acquire, std::memory_order_relaxed))
      continue;
    claim.sender = job_.address(inbox_.self());
    claim.state.store(GuestState::kOpen, std::memory_order_release);
    RankSlot& slot = theirs.slot(address.rank);
    Ring& out = *reinterpret_cast<Ring*>(theirs.guest_ring(address.rank, number));
    Reader* reader = reader_of(peer);
    auto endpoint = std::make_unique<ShmEndpoint>(slot, 0, out, reader ? reader->ring : nullptr, peer);
    call(slot);
    return *ends_.emplace_back(End{std::move(job), &slot, &claim, std::move(endpoint)}).endpoint;
  }
  fail(kErrNoMem, "rank %u of another job has connections with %u processes already, which is all it can have", address.rank,
       kGuestRings);
}

bool Guests::disconnect(Peer peer) {
  if (End* end = end_of(peer)) {
    end->claim->state.store(GuestState::kClosed, std::memory_order_release);
    call(*end->slot);
    ends_.erase(ends_.begin() + (end - ends_.data()));
  }
  return !reader_of(peer);
}

void Guests::meet() {
  // Once more if a guest has closed a ring and opened another one: what is in the first comes first.
  for (bool again = true; again;) {
    again = false;
    for (std::uint32_t number = 0; number < kGuestRings; ++number) {
      GuestClaim& claim = job_.guest(inbox_.self(), number);
      const GuestState state = claim.state.load(std::memory_order_acquire);
      if (state != GuestState::kOpen && state != GuestState::kClosed) continue;
      auto known = std::find_if(readers_.begin(), readers_.end(), [&claim](const Reader& r) { return r.claim == &claim; });
      if (known == readers_.end()) {
        const Peer peer = inbox_.admit(claim.sender);
        if (reader_of(peer)) {
          again = true;
          continue;
        }
        readers_.push_back({&claim, &ring(number), peer, RingReader(ring(number), peer)});
        if (End* end = end_of(peer)) end->endpoint->set_in(&ring(number));
        known = readers_.end() - 1;
      }
      if (state == GuestState::kClosed) drain(*known);
    }
  }
}

// The end of a closed ring.
void Guests::drain(Reader& reader) {
  while (reader.reader.poll(inbox_) > 0) {
  }
  if (End* end = end_of(reader.peer)) end->endpoint->set_in(nullptr);
  clear(*reader.ring);
  reader.claim->state.store(GuestState::kFree, std::memory_order_release);
  readers_.erase(readers_.begin() + (&reader - readers_.data()));
}

int Guests::progress() {
  int delivered = 0;
  for (Reader& reader : readers_) delivered += reader.reader.poll(inbox_);
  return delivered;
}

void Guests::check() const {
  for (const End& end : ends_) {
    const auto process = static_cast<pid_t>(end.slot->pid.load(std::memory_order_relaxed));
    if (process == 0 || kill(process, 0) == 0 || errno != ESRCH) continue;
    if (end.slot->state.load(std::memory_order_acquire) == RankState::kFinalized) continue;
    object::abort("starling: process " + std::to_string(process) + " of a connected job has died without disconnecting", 1);
  }
}

}  // namespace starling::transport
