// SPDX-License-Identifier: BSD-3-Clause
// The sending side of a pair of rings: what messages inside a job and between jobs share.
#pragma once

#include <cstdint>
#include <utility>

#include "base/job.h"
#include "transport/shm/peer_heap.h"
#include "transport/shm/ring.h"
#include "transport/transport.h"

namespace starling::transport {

class ShmEndpoint : public Endpoint {
 public:
  // `slot`: of the peer; `worker`: which of its workers; `in`: where that writes, nullptr if that is not known yet.
  ShmEndpoint(RankSlot& slot, int worker, Ring& out, Ring* in, Peer to);

  bool send_short(const AmHeader& header, const void* payload, std::size_t length) override;
  bool send_packed(const AmHeader& header, const PackSource& source) override;
  std::byte* map(std::uint64_t remote_address, std::size_t length) override { return heap_.find(remote_address, length); }
  bool get(void* local, std::uint64_t remote_address, std::size_t length) override;
  bool put(const void* local, std::uint64_t remote_address, std::size_t length) override;
  SharedCopy* open_copy(std::uint32_t& id) override;
  void close_copy(std::uint32_t id) override { open_copies_ &= ~(std::uint64_t{1} << id); }
  SharedCopy* find_copy(std::uint32_t id) override { return &in_->copies[id]; }
  bool peer_waits() const override { return waiting_.load(std::memory_order_relaxed) != 0; }
  void notify() override;

  void set_in(Ring* in) { in_ = in; }
  // Whether a message has found no room since the last time this was asked. Readers do not ring when they make room, so a
  // sender that waits for it must not sleep.
  bool lacked_room() { return std::exchange(lacked_room_, false); }

 private:
  static constexpr std::uint64_t kAllCopies = (std::uint64_t{1} << kCopies) - 1;

  pid_t pid() const { return static_cast<pid_t>(slot_.pid.load(std::memory_order_relaxed)); }

  RankSlot& slot_;
  const std::atomic<std::uint32_t>& waiting_;  // of the peer's worker
  RingWriter writer_;
  Ring& out_;
  Ring* in_;
  PeerHeap heap_;
  bool lacked_room_ = false;
  std::uint64_t open_copies_ = 0;  // bit i: out_.copies[i] is used by a send of ours
};

}  // namespace starling::transport
