// SPDX-License-Identifier: BSD-3-Clause
#include "p2p/state.h"

#include <atomic>

#include "p2p/request.h"

namespace starling::p2p {

namespace {

std::atomic<Worker*> the_process_worker{nullptr};  // see process_worker()

bool poll(void* self) {
  State& state = *static_cast<State*>(self);
  bool did = poll_sends(state);
  did |= poll_receives(state);
  if (state.blocked.empty() && !state.copies && !state.streams && !state.pulls) {
    state.polled = false;
    state.worker.remove_poller({&poll, self});
  }
  return did;
}

void destroy_state(State* state) {
  Worker* mine = &state->worker;
  the_process_worker.compare_exchange_strong(mine, nullptr, std::memory_order_acq_rel);
  delete state;
}

bool leave_to_home_of_process(void (*destroy)(void*), void* object) {
  Worker* home = process_worker();
  if (!home || home->has_lock()) return false;
  home->leave_to_home(destroy, object);
  return true;
}

}  // namespace

void attach(Worker& worker) {
  worker.set_p2p(Worker::P2pPointer(new State(worker), &destroy_state));
  worker.on_hang = &tell_hang;
  set_send_handlers(worker);
  set_receive_handlers(worker);
  Worker* none = nullptr;
  the_process_worker.compare_exchange_strong(none, &worker, std::memory_order_acq_rel);
  if (worker.number() == 1) leave_to_home = &leave_to_home_of_process;
}

Worker* process_worker() { return the_process_worker.load(std::memory_order_acquire); }

void keep_polling(State& state) {
  if (state.polled) return;
  state.polled = true;
  state.worker.add_poller({&poll, &state});
}

Queues queues(const Worker& home, const Comm* comm) {
  Queues sum{};
  for_each_worker(home, [&](Worker& worker) {
    const Matcher& matcher = worker.p2p().matcher;
    sum.posted += comm ? matcher.posted_in(comm->context) : matcher.posted();
    sum.unexpected += comm ? matcher.unexpected_in(comm->context) : matcher.unexpected();
  });
  return sum;
}

std::size_t unexpected_bytes(const Worker& home) {
  std::size_t sum = 0;
  for_each_worker(home, [&](Worker& worker) { sum += worker.p2p().matcher.unexpected_bytes(); });
  return sum;
}

// Of several workers the sum of their highest numbers, which were not reached at the same time: no less than the true one.
std::size_t take_most_unexpected(Worker& home) {
  std::size_t sum = 0;
  for_each_worker(home, [&](Worker& worker) { sum += worker.p2p().matcher.take_most_unexpected(); });
  return sum;
}

}  // namespace starling::p2p
