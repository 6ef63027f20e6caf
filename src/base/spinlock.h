// SPDX-License-Identifier: BSD-3-Clause
// A lock for a few instructions. Waiters yield at once: ranks often share cores, and then the holder may not be running.
#pragma once

#include <sched.h>

#include <atomic>

namespace starling {

class Spinlock {
 public:
  // acquire/release: what the last holder wrote is visible to the next.
  void lock() {
    while (locked_.exchange(true, std::memory_order_acquire))
      while (locked_.load(std::memory_order_relaxed)) sched_yield();
  }
  bool try_lock() { return !locked_.exchange(true, std::memory_order_acquire); }
  void unlock() { locked_.store(false, std::memory_order_release); }

 private:
  std::atomic<bool> locked_{false};
};

class SpinGuard {
 public:
  explicit SpinGuard(Spinlock& lock) : lock_(lock) { lock_.lock(); }
  ~SpinGuard() { lock_.unlock(); }
  SpinGuard(const SpinGuard&) = delete;
  SpinGuard& operator=(const SpinGuard&) = delete;

 private:
  Spinlock& lock_;
};

}  // namespace starling
