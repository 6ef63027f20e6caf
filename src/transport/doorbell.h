// SPDX-License-Identifier: BSD-3-Clause
// The doorbell: how a process that waits for a long time sleeps, and how whoever has something for it wakes it (DESIGN D6,
// third gear).
//
// The word `bell` is odd while its owner sleeps or is about to. The two sides do
//   sleeper: make it odd; BARRIER; look whether something has arrived; futex wait while the bell is what announce() returned
//   sender:  publish the message; BARRIER; if the bell is odd: add 1, futex wake
// so that one of them always sees the other: store - load order on both sides (Dekker), the one order that release and acquire
// do not give, not even on x86. The sender's barrier would cost every message some 20 ns. So the sleeper pays for both:
// membarrier(GLOBAL_EXPEDITED) makes every running, registered process execute a full barrier, and one that does not run has
// passed one when it was scheduled. A process that cannot register looks at the bell by a read-modify-write instead; a sleeper
// without membarrier sleeps for a short time only.
//
// Why that is enough, on any memory model. Call the sleeper's barrier S; it falls between two instructions of the sender's.
// If S comes after the sender's publishing stores, the sleeper's look, which follows S, sees the message. Otherwise S comes
// before the sender's load of the bell, which then sees the odd value (or a later one: somebody else has rung). Where both
// sides use read-modify-writes of the bell, one of the two comes first, and the second sees all that was written before the
// first: all who change the word do so by such operations. The compiler keeps the sender's store and load apart because of the
// signal fence.
//
// The bell only grows: each announcement that is answered or taken back makes it even and larger. So of several threads that
// sleep on one bell, one whose announcement was answered does not fall asleep because another has announced itself since: it
// waits for its own value.
#pragma once

#include <atomic>
#include <cstdint>

namespace starling::doorbell {

// A property of the process, set once by prepare(): whether a sender must order for itself.
extern bool sender_orders;

// Registers the process with membarrier. Once per process is enough; later calls do nothing. Thread-safe.
void prepare();

// Rings if somebody has announced itself. For a sender whose look must not miss a sleeper: ring().
void wake(std::atomic<std::uint32_t>& bell);

// Sender, after publishing: a look at a word that a sleeper changes before its barrier.
inline std::uint32_t look(std::atomic<std::uint32_t>& word) {
  std::atomic_signal_fence(std::memory_order_seq_cst);  // the compiler must not look before it has published
  // relaxed: the barrier orders it after the publishing; what it reads orders nothing.
  return sender_orders ? word.fetch_add(0, std::memory_order_acq_rel) : word.load(std::memory_order_relaxed);
}

// Sender: to be called after publishing.
inline void ring(std::atomic<std::uint32_t>& bell) {
  if (look(bell) & 1) [[unlikely]]
    wake(bell);
}

// The rest is for the owner of the bell; announce() and retract() exclude each other (Team::bell in progress/worker.h).

// Returns the value to sleep on. What was published before the senders could see it is visible afterwards.
[[nodiscard]] std::uint32_t announce(std::atomic<std::uint32_t>& bell);
// Sleeps until someone rings; returns at once if that has happened since the announcement. May return without a reason. False:
// nobody has rung, the time for the next look by oneself has come.
bool sleep(std::atomic<std::uint32_t>& bell, std::uint32_t announced);
// Takes all announcements back.
inline void retract(std::atomic<std::uint32_t>& bell) {
  std::uint32_t value = bell.load(std::memory_order_relaxed);
  if (value & 1) bell.compare_exchange_strong(value, value + 1, std::memory_order_acq_rel, std::memory_order_relaxed);
}

}  // namespace starling::doorbell
