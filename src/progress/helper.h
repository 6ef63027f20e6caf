// SPDX-License-Identifier: BSD-3-Clause
// Helper: a thread that makes progress while the application computes (MVP_ASYNC_PROGRESS). There is one for a worker at most.
//
// What it does depends on what there is to do:
//   a thread of the user waits in MPI    nothing: that thread makes progress itself. It is parked
//   no request is under way              nothing. It is parked: no wake-ups at all
//   otherwise                            progress. On a core of its own it polls for a while, else it yields a few times; then
//   it
//                                        sleeps at the doorbell, so that it takes no time from the application until something
//                                        arrives
// On a core of its own it does not sleep at once when it is parked either: to wake it would cost the call microseconds.
// The end of an MPI call wakes a parked helper if the call has begun a request (or if it was parked for the first reason only),
// and one that sleeps if the call has made a coroutine ready.
//
// Thread-safety: all functions are called with the worker lock held. The worker must be multithreaded before a helper is made.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

namespace starling {

class Worker;

class Helper {
 public:
  // What the layer of requests knows; called with the worker lock held.
  struct Work {
    bool (*under_way)();       // whether any request is
    std::uint64_t (*begun)();  // how many have been begun, ever
  };

  // `cpu`: the processor to run on, -1: those of this thread. `own_core`: nobody else computes there, so it may poll.
  Helper(Worker& worker, const Work& work, int cpu, bool own_core);
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;
  ~Helper();  // gives the lock away until the thread has ended

  // At the end of an MPI call.
  void look();

 private:
  void run(int cpu);
  void park(bool nothing_to_do);
  void wake();
  void linger(std::uint32_t value, std::uint64_t ns) const;  // looks for so long, 0: for good, whether the word has changed

  Worker& worker_;
  const Work work_;
  const bool own_core_;
  bool stop_ = false;
  bool parked_ = true;
  std::uint64_t seen_ = 0;              // `begun` when it was parked for want of work
  std::atomic<std::uint32_t> word_{0};  // changes when a parked helper shall go on
  std::thread thread_;
};

}  // namespace starling
