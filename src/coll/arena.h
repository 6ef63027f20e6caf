// SPDX-License-Identifier: BSD-3-Clause
// Arena: a small stack of memory for what one run of a collective needs: coroutine frames, short buffers. Frames and buffers of
// nested coroutines end in the reverse order of their birth, so that taking and giving back memory is moving one pointer. What
// does not fit comes from the heap.
//
// Ownership: everything taken must be given back before the arena ends. Thread-safety: none (worker lock).
#pragma once

#include <cstddef>
#include <new>

namespace starling::coll {

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Memory for `bytes` bytes, aligned to kAlign; not initialised.
  void* take(std::size_t bytes) {
    bytes = round(bytes);
    if (bytes > kBytes - used_) [[unlikely]]
      return operator new(bytes);
    void* memory = memory_ + used_;
    used_ += bytes;
    return memory;
  }
  // `bytes` as for take. Memory that is not the topmost stays unused until everything below it is given back, too.
  void give(void* memory, std::size_t bytes) {
    auto* at = static_cast<std::byte*>(memory);
    if (at < memory_ || at >= memory_ + kBytes) [[unlikely]] {
      operator delete(memory);
    } else if (at + round(bytes) == memory_ + used_) {
      used_ -= round(bytes);
    }
  }

 private:
  static constexpr std::size_t kAlign = 16;
  static constexpr std::size_t kBytes = 3072;  // two or three frames and a short message
  static std::size_t round(std::size_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

  std::size_t used_ = 0;
  alignas(kAlign) std::byte memory_[kBytes];
};

}  // namespace starling::coll
