// SPDX-License-Identifier: BSD-3-Clause
// The end of point-to-point: waiting until all that was sent has been received, and telling the user if that takes long.
#include <sched.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <string>

#include "base/settings.h"
#include "p2p/state.h"

namespace starling::p2p {

namespace {

time_t now_s() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

// Makes progress until done() or until the seconds are over (0: for ever). Returns done().
template <class Done>
bool wait_for(Worker& worker, int seconds, Done&& done) {
  constexpr unsigned kYields = 1000;
  if (seconds <= 0) {
    worker.wait(done);
    return true;
  }
  const time_t end = now_s() + seconds;
  for (unsigned idle = 0; !done();) {
    if (worker.progress_all() > 0) {
      idle = 0;
    } else if (++idle < kYields) {
      worker.step_aside([] { sched_yield(); });
    } else if (now_s() > end) {
      return false;
    } else {
      worker.step_aside([] { usleep(500); });
    }
  }
  return true;
}

const Comm* comm_of(Context context) {
  const Comm* found = nullptr;
  comm_pool().for_each([&](const Comm& comm) {
    if (comm.context == context) found = &comm;
  });
  return found;
}

// One line about the oldest message that nobody has received, and how many more there are.
void report(const State& state) {
  const SendOp* oldest = state.waiting_first;
  if (!oldest) return;
  int more = 0;
  for (const SendOp* op = oldest->waiting_next; op; op = op->waiting_next) ++more;
  std::string to = "process " + std::to_string(oldest->endpoint->peer);
  if (const Comm* comm = comm_of(oldest->header.context))
    to = "rank " + std::to_string(comm->remote_group->rank_of(oldest->endpoint->peer)) + " of " +
         (comm->name.empty() ? "a communicator" : comm->name);
  const std::string others = more > 0 ? ", and " + std::to_string(more) + " more" : "";
  std::fprintf(
      stderr, "starling: rank %u still waits in MPI_Finalize: its message of %lld bytes with tag %d to %s was not received%s\n",
      state.worker.self(), static_cast<long long>(oldest->source.length), oldest->header.tag, to.c_str(), others.c_str());
}

}  // namespace

void drain(Worker& home) {
  const auto drained = [&home] {
    bool all = true;
    for_each_worker(home, [&all](Worker& worker) { all = all && !worker.p2p().polled && !worker.p2p().waiting_first; });
    return all;
  };
  if (!wait_for(home, settings().finalize_patience, drained))
    for_each_worker(home, [](Worker& worker) { report(worker.p2p()); });
  home.p2p().bsend.reset();
  home.wait(drained);
  home.do_what_was_left();
}

void begin_waiting(State& state, SendOp& op) {
  op.waiting_next = nullptr;
  op.waiting_previous = state.waiting_last;
  (state.waiting_last ? state.waiting_last->waiting_next : state.waiting_first) = &op;
  state.waiting_last = &op;
}

void end_waiting(State& state, SendOp& op) {
  (op.waiting_previous ? op.waiting_previous->waiting_next : state.waiting_first) = op.waiting_next;
  (op.waiting_next ? op.waiting_next->waiting_previous : state.waiting_last) = op.waiting_previous;
}

}  // namespace starling::p2p
