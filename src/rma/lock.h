// SPDX-License-Identifier: BSD-3-Clause
// FairLock: a lock for many readers or one writer in memory that several processes share. First come, first served; readers
// that follow each other hold it together. After the ticket locks of Mellor-Crummey and Scott, "Scalable reader-writer
// synchronization for shared-memory multiprocessors", PPoPP 1991.
//
// It only keeps the queue: how to wait for one's turn is the caller's business (rma/wait.h), because a waiting process must
// make progress and may sleep. All zero is free.
#pragma once

#include <atomic>
#include <cstdint>

namespace starling::rma {

struct FairLock {
  std::atomic<std::uint32_t> tickets;  // handed out
  std::atomic<std::uint32_t> reader;   // the ticket that may read now
  std::atomic<std::uint32_t> writer;   // the ticket that may write now
  std::atomic<std::uint32_t> waiting;  // processes that may be asleep while they wait, and must be woken

  std::uint32_t draw() { return tickets.fetch_add(1, std::memory_order_relaxed); }

  // acquire: what those before have done under the lock is visible. All changes of `reader` and `writer` are additions, so an
  // acquire load of the newest value sees what each of them released.
  bool may_read(std::uint32_t ticket) const { return reader.load(std::memory_order_acquire) == ticket; }
  bool may_write(std::uint32_t ticket) const { return writer.load(std::memory_order_acquire) == ticket; }

  // A reader whose turn it is lets the next reader in. seq_cst here and below: the change comes before the look at `waiting`.
  void begin_read() { reader.fetch_add(1, std::memory_order_seq_cst); }
  void end_read() { writer.fetch_add(1, std::memory_order_seq_cst); }
  // `reader` first: a reader that comes in at once may leave before the next writer is let in, not the other way round.
  void end_write() {
    reader.fetch_add(1, std::memory_order_seq_cst);
    writer.fetch_add(1, std::memory_order_seq_cst);
  }
  // After any of these: somebody may have to be woken.
  bool somebody_waits() const { return waiting.load(std::memory_order_seq_cst) != 0; }
};
static_assert(sizeof(FairLock) == 16);

}  // namespace starling::rma
