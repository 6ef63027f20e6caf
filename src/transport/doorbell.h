// SPDX-License-Identifier: BSD-3-Clause
// The doorbell: how a process that waits for a long time sleeps, and how whoever has something for it wakes it (DESIGN D6,
// third gear).
//
// The word `bell` is 1 while its owner sleeps or is about to. The two sides do
//   sleeper: bell = 1; BARRIER; look whether something has arrived; futex wait while bell == 1
//   sender:  publish the message; BARRIER; if bell == 1: bell = 0, futex wake
// so that one of them always sees the other (store - load order on both sides). The sender's barrier would cost every message
// some 20 ns. So the sleeper pays for both: membarrier(GLOBAL_EXPEDITED) makes itself and every running, registered process execute
// a full barrier. A process that cannot register looks at the bell by a read-modify-write instead. All who change the word do so by
// such operations, too: of two of them one comes first, and the second sees all that was written before the first. A sleeper
// without membarrier sleeps for a short time only.
#pragma once

#include <atomic>
#include <cstdint>

namespace starling::doorbell {

// A property of the process, set once by prepare(): whether a sender must order for itself.
extern bool sender_orders;

// Registers the process with membarrier. Once per process is enough; later calls do nothing. Thread-safe.
void prepare();

void wake(std::atomic<std::uint32_t>& bell);

// Sender, after publishing: a look at a word that a sleeper sets before its barrier.
inline std::uint32_t look(std::atomic<std::uint32_t>& word) {
  std::atomic_signal_fence(std::memory_order_seq_cst);  // the compiler must not look before it has published
  return sender_orders ? word.fetch_add(0, std::memory_order_acq_rel) : word.load(std::memory_order_relaxed);
}

// Sender: to be called after publishing.
inline void ring(std::atomic<std::uint32_t>& bell) {
  if (look(bell) != 0) [[unlikely]]
    wake(bell);
}

// Sleeper: sets the bell. What was published before the senders could see it is visible afterwards.
void announce(std::atomic<std::uint32_t>& bell);
// Sleeps until someone rings; returns at once if that has happened since announce(). May return without a reason.
void sleep(std::atomic<std::uint32_t>& bell);
// Takes the announcement back.
inline void retract(std::atomic<std::uint32_t>& bell) { bell.exchange(0, std::memory_order_acq_rel); }

}  // namespace starling::doorbell
