// SPDX-License-Identifier: BSD-3-Clause
#include "progress/helper.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>

#include "progress/worker.h"
#include "transport/doorbell.h"

namespace starling {

namespace {

// While it polls on a core that is no rank's: there may be helpers of others.
constexpr unsigned kLooksPerYield = 64;
// On a core that it shares with computing ranks it yields so often first: to be woken costs others more.
constexpr unsigned kYieldsBeforeSleep = 20;

}  // namespace

Helper::Helper(Worker& worker, const Work& work, int cpu, bool own_core) : worker_(worker), work_(work), own_core_(own_core) {
  // Signals are for the threads of the application.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this, cpu] { run(cpu); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_setname_np(thread_.native_handle(), "mpi-progress");
}

Helper::~Helper() {
  stop_ = true;
  wake();
  doorbell::wake(*worker_.bell);
  worker_.step_aside([this] { thread_.join(); });
}

void Helper::look() {
  if (worker_.waiting_ > 0) return;
  if (parked_ && work_.begun() != seen_) [[unlikely]]
    wake();
  // Nothing has arrived for what the call has made ready, so nobody else rings.
  if (!worker_.ready_.empty() && worker_.team_->helper_sleeps.load(std::memory_order_relaxed) > 0)
    doorbell::wake(*worker_.bell);
}

void Helper::wake() {
  parked_ = false;
  word_.fetch_add(1, std::memory_order_release);
  word_.notify_one();
}

// The word changes under the lock only, so between the look at it and the wait nothing is lost.
void Helper::park(bool nothing_to_do) {
  seen_ = work_.begun() - (nothing_to_do ? 0 : 1);
  parked_ = true;
  const std::uint32_t value = word_.load(std::memory_order_relaxed);
  const std::uint64_t awake_ns = worker_.sleep_after_ns_;  // 0: for good
  worker_.step_aside([&] {
    if (own_core_) linger(value, awake_ns);
    word_.wait(value, std::memory_order_acquire);
  });
}

void Helper::linger(std::uint32_t value, std::uint64_t ns) const {
  const std::uint64_t began = Worker::now_ns();
  do {
    for (unsigned look = 0; look < kLooksPerYield; ++look) {
      if (word_.load(std::memory_order_acquire) != value) return;
      cpu_relax();
    }
    sched_yield();
  } while (ns == 0 || Worker::now_ns() - began < ns);
}

void Helper::run(int cpu) {
  if (cpu >= 0) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);  // if that fails it runs where the application does
  }
  // MPI_Init, which makes the helper, does not hold the lock yet: stay away until the first call after it.
  word_.wait(0, std::memory_order_acquire);
  worker_.lock();
  const unsigned spins = own_core_ ? worker_.spin_count_ : kYieldsBeforeSleep, step = own_core_ ? kLooksPerYield : 1;
  for (unsigned idle = 0; !stop_;) {
    if (worker_.waiting_ > 0) {
      park(false);
    } else if (worker_.progress() > 0) {
      idle = 0;
      worker_.tell_sleepers();
      worker_.give_way();
    } else if (idle < spins) {
      if (++idle % step == 0) {
        worker_.yield();
      } else {
        worker_.give_way();
      }
    } else if (work_.under_way()) {
      idle = 0;
      if (!worker_.sleep(worker_.team_->helper_sleeps)) worker_.yield();
    } else {
      park(true);
    }
  }
  worker_.unlock();
}

}  // namespace starling
