// SPDX-License-Identifier: BSD-3-Clause
#include "base/reserve.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>

namespace starling {

namespace {

// Of a limit on addresses; there are about a dozen tables.
constexpr std::size_t kPart = 128;
constexpr std::size_t kLeast = std::size_t{1} << 18;
// What grow() adds at a time: less than a huge page, which the kernel may give for the first byte of a range that has room for
// one.
constexpr std::size_t kStep = std::size_t{1} << 18;

std::size_t round_up(std::size_t bytes) { return (bytes + kStep - 1) / kStep * kStep; }

}  // namespace

bool Reserve::open(std::size_t most) {
  rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    most = std::min(most, std::max(limit.rlim_cur / kPart, kLeast));
  most = round_up(most);
  // Addresses that nothing may be done with count neither for RLIMIT_DATA nor where the kernel promises no more memory than it
  // has.
  void* range = mmap(nullptr, most, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (range == MAP_FAILED) return false;
  start_ = static_cast<std::byte*>(range);
  capacity_ = most;
  return true;
}

bool Reserve::grow(std::size_t bytes) {
  bytes = round_up(bytes);
  if (bytes > capacity_ || mprotect(start_ + usable_, bytes - usable_, PROT_READ | PROT_WRITE) != 0) return false;
  usable_ = bytes;
  return true;
}

}  // namespace starling
