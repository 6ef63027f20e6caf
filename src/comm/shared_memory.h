// SPDX-License-Identifier: BSD-3-Clause
// Memory that all processes of a communicator on one host map. It is a memfd of one of them, reached as /proc/<pid>/fd/<n>: it
// has no name, so nothing can be left behind, whatever kills the processes. A new one is all zero, and only pages that are
// touched cost memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "object/comm.h"

namespace starling::comm {

class SharedMemory {
 public:
  SharedMemory() = default;
  // Collective over `comm`; `bytes` is the same at all. `name` is what tools show of it. Throws at all of them if it fails at
  // one: Error(kErrNoMem), or Error(kErrOther) if a process cannot map it.
  SharedMemory(Comm& comm, std::uint64_t bytes, const char* name);
  ~SharedMemory();
  SharedMemory(SharedMemory&& other) noexcept { *this = std::move(other); }
  SharedMemory& operator=(SharedMemory&& other) noexcept {
    std::swap(base_, other.base_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }

  std::byte* base() const { return base_; }  // nullptr: none

 private:
  std::byte* base_ = nullptr;
  std::uint64_t bytes_ = 0;
};

}  // namespace starling::comm
