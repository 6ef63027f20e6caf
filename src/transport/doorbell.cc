// SPDX-License-Identifier: BSD-3-Clause
#include "transport/doorbell.h"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

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
  // Only who takes the 1 away makes the system call.
  if (bell.exchange(0, std::memory_order_acq_rel)) futex(bell, FUTEX_WAKE, INT_MAX, nullptr);
}

void announce(std::atomic<std::uint32_t>& bell) {
  bell.exchange(1, std::memory_order_acq_rel);
  membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED);
}

void sleep(std::atomic<std::uint32_t>& bell) {
  // If this process could not register, the kernel lacks the command, and no barrier was made in announce() either.
  timespec timeout{0, sender_orders ? kUnsureNanoseconds : kNetNanoseconds};
  futex(bell, FUTEX_WAIT, 1, &timeout);
}

}  // namespace starling::doorbell
