// SPDX-License-Identifier: BSD-3-Clause
// Passive target synchronization (MPI 5.0 sections 12.5.3 to 12.5.5). The origin takes the target's lock in the segment by
// itself; the target need not do anything.
#include <atomic>

#include "base/error.h"
#include "rma/entry.gen.h"
#include "rma/epoch.h"
#include "rma/locate.h"
#include "rma/wait.h"

namespace starling::rma {

namespace {

void wake_waiting(Win& win, const FairLock& lock) {
  if (lock.somebody_waits()) [[unlikely]]
    wake_all(win);
}

template <class Turn>
void wait_for_turn(Win& win, FairLock& lock, Turn&& my_turn) {
  if (my_turn()) [[likely]]
    return;
  lock.waiting.fetch_add(1, std::memory_order_seq_cst);  // before the next look: see FairLock::somebody_waits
  wait_for(win, my_turn);
  lock.waiting.fetch_sub(1, std::memory_order_relaxed);
}

void acquire(Win& win, int rank, Hold hold) {
  FairLock& lock = win.words(rank).lock;
  const std::uint32_t ticket = lock.draw();
  if (hold == Hold::kExclusive) return wait_for_turn(win, lock, [&lock, ticket] { return lock.may_write(ticket); });
  wait_for_turn(win, lock, [&lock, ticket] { return lock.may_read(ticket); });
  lock.begin_read();
  wake_waiting(win, lock);
}

void give_back(Win& win, int rank, Hold hold) {
  FairLock& lock = win.words(rank).lock;
  if (hold == Hold::kExclusive) {
    lock.end_write();
  } else {
    lock.end_read();
  }
  wake_waiting(win, lock);
}

void check_locks_allowed(const Win& win) {
  if (object::hint_is_true(win.info.get(), "no_locks"))
    fail(kErrRmaSync, "the window has the hint no_locks: it cannot be locked");
}

void check_passive(const Win& win, int rank) {
  if (win.epoch != Epoch::kLockAll && !(win.epoch == Epoch::kLocks && target_of(const_cast<Win&>(win), rank).open))
    fail(kErrRmaSync, "rank %d is not locked (MPI_Win_lock, MPI_Win_lock_all)", rank);
}

void check_passive(const Win& win) {
  if (win.epoch != Epoch::kLockAll && win.epoch != Epoch::kLocks)
    fail(kErrRmaSync, "no target is locked (MPI_Win_lock, MPI_Win_lock_all)");
}

// All operations are complete already; what is left is that others see them before anything that comes later.
void flush_memory() { std::atomic_thread_fence(std::memory_order_seq_cst); }

}  // namespace

void win_lock(int lock_type, int rank, int assert, Win& win) {
  if (lock_type != kLockExclusive && lock_type != kLockShared)
    fail(kErrLocktype, "the lock type is neither MPI_LOCK_EXCLUSIVE nor MPI_LOCK_SHARED");
  check_assertion(assert, kModeNocheck);
  check_locks_allowed(win);
  if (rank == kProcNull) return;
  Target& target = target_of(win, rank);
  if (win.epoch == Epoch::kLocks && target.open) fail(kErrRmaSync, "rank %d is locked already", rank);
  begin_epoch(win, Epoch::kLocks);
  target.unchecked = (assert& kModeNocheck) != 0;
  ++win.locks;
  const Hold hold = lock_type == kLockExclusive ? Hold::kExclusive : Hold::kShared;
  if (!target.unchecked) acquire(win, rank, hold);
  target.hold = hold;
  target.open = true;
}

void win_unlock(int rank, Win& win) {
  if (rank == kProcNull) return;
  Target& target = target_of(win, rank);
  if (win.epoch != Epoch::kLocks || !target.open) fail(kErrRmaSync, "rank %d is not locked (MPI_Win_lock)", rank);
  target.open = false;
  const Hold hold = std::exchange(target.hold, Hold::kNone);
  if (target.unchecked) {
    flush_memory();
  } else {
    give_back(win, rank, hold);
  }
  if (--win.locks == 0) win.epoch = Epoch::kNone;
}

void win_lock_all(int assert, Win& win) {
  check_assertion(assert, kModeNocheck);
  check_locks_allowed(win);
  begin_epoch(win, Epoch::kLockAll);
  const bool unchecked = (assert& kModeNocheck) != 0;
  for (int rank = 0; rank < win.comm->size; ++rank) {
    Target& target = win.targets[static_cast<std::size_t>(rank)];
    target.unchecked = unchecked;
    if (!unchecked) acquire(win, rank, Hold::kShared);
    target.hold = Hold::kShared;
  }
  win.everywhere = true;
}

void win_unlock_all(Win& win) {
  if (win.epoch != Epoch::kLockAll) fail(kErrRmaSync, "there was no MPI_Win_lock_all");
  for (int rank = 0; rank < win.comm->size; ++rank) {
    Target& target = win.targets[static_cast<std::size_t>(rank)];
    target.hold = Hold::kNone;
    if (!target.unchecked) give_back(win, rank, Hold::kShared);
  }
  flush_memory();
  win.everywhere = false;
  win.epoch = Epoch::kNone;
}

void win_flush(int rank, Win& win) {
  if (rank == kProcNull) return;
  target_of(win, rank);
  check_passive(win, rank);
  flush_memory();
}
void win_flush_local(int rank, Win& win) { win_flush(rank, win); }
void win_flush_all(Win& win) {
  check_passive(win);
  flush_memory();
}
void win_flush_local_all(Win& win) { win_flush_all(win); }

// Memory and window are the same (MPI_WIN_UNIFIED); a loop that waits for a change by another process makes progress.
void win_sync(Win& win) {
  flush_memory();
  win.comm->worker->look();
}

}  // namespace starling::rma
