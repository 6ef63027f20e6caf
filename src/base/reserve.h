// SPDX-License-Identifier: BSD-3-Clause
// Memory for a table that grows and never moves: addresses for all that it may become, memory for what it is. Not safe with
// threads.
#pragma once

#include <cstddef>

namespace starling {

class Reserve {
 public:
  // Takes addresses for up to `most` bytes, for the life of the process. Where it may have only so many (RLIMIT_AS, `ulimit
  // -v`), they are a small part of those: most are the program's. False: there are none.
  bool open(std::size_t most);

  // Lets the first `bytes` be used, zeros at first. False: that is more than there are addresses for, or there is no memory.
  bool extend(std::size_t bytes) { return bytes <= usable_ || grow(bytes); }

  std::byte* start() const { return start_; }
  std::size_t capacity() const { return capacity_; }

 private:
  bool grow(std::size_t bytes);

  std::byte* start_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t usable_ = 0;
};

}  // namespace starling
