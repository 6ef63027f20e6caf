// SPDX-License-Identifier: BSD-3-Clause
#include "transport/doorbell.h"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

namespace starling::doorbell {

bool sender_orders = true;  // until prepare() knows better

namespace {

// A sleeper looks by itself now and then: a safety net where the barrier is sure, the rule where there is none.
constexpr long kNetNanoseconds = 100'000'000;
constexpr long kUnsureNanoseconds = 1'000'000;

std::atomic<bool> prepared{false};

long membarrier(int command) { return syscall(SYS_membarrier, command, 0, 0); }

long futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value, const timespec* timeout) {
  return syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation, value, timeout, nullptr, 0);
}

}  // namespace

void prepare() {
  if (prepared.exchange(true, std::memory_order_acq_rel)) return;
  sender_orders = membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) != 0;
}

void wake(std::atomic<std::uint32_t>& bell) {
  std::uint32_t value = bell.load(std::memory_order_relaxed);
  while (value & 1) {
    if (!bell.compare_exchange_weak(value, value + 1, std::memory_order_acq_rel, std::memory_order_relaxed)) continue;
    futex(bell, FUTEX_WAKE, INT_MAX, nullptr);  // only who answered the announcement makes the system call
    return;
  }
}

std::uint32_t announce(std::atomic<std::uint32_t>& bell) {
  const std::uint32_t announced = bell.fetch_or(1, std::memory_order_acq_rel) | 1;
  membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED);
  return announced;
}

bool sleep(std::atomic<std::uint32_t>& bell, std::uint32_t announced) {
  // If this process could not register, the kernel lacks the command, and no barrier was made in announce() either.
  timespec timeout{0, sender_orders ? kUnsureNanoseconds : kNetNanoseconds};
  return futex(bell, FUTEX_WAIT, announced, &timeout) == 0 || errno != ETIMEDOUT;
}

}  // namespace starling::doorbell
