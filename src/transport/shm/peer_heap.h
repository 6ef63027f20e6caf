// SPDX-License-Identifier: BSD-3-Clause
// The shared heap of another process, mapped here.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/job.h"

namespace starling::transport {

// Thread-safety: worker lock.
class PeerHeap {
 public:
  explicit PeerHeap(const RankSlot& slot) : slot_(slot) {}
  PeerHeap(const PeerHeap&) = delete;
  PeerHeap& operator=(const PeerHeap&) = delete;
  ~PeerHeap();

  // Where [address, address + length) of the peer is mapped, as long as the peer does not free it; nullptr: not in its heap, or
  // that cannot be mapped.
  std::byte* find(std::uint64_t address, std::size_t length) {
    const std::uint64_t offset = address - base_;
    if (offset < mapped_ && length <= mapped_ - offset) [[likely]]
      return here_ + offset;
    return map(address, length);
  }

 private:
  std::byte* map(std::uint64_t address, std::size_t length);

  const RankSlot& slot_;
  std::uint64_t base_ = 0;      // address in the peer
  std::uint64_t reserved_ = 0;  // addresses, there and here
  std::uint64_t mapped_ = 0;
  std::byte* here_ = nullptr;
  bool refused_ = false;
};

}  // namespace starling::transport
