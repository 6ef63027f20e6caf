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

}  // namespace

void attach(Worker& worker) {
  worker.set_p2p(Worker::P2pPointer(new State(worker), &destroy_state));
  worker.on_hang = &tell_hang;
  set_send_handlers(worker);
  set_receive_handlers(worker);
  Worker* none = nullptr;
  if (!the_process_worker.compare_exchange_strong(none, &worker, std::memory_order_acq_rel)) share_request_pool();
}

Worker* process_worker() { return the_process_worker.load(std::memory_order_acquire); }

void keep_polling(State& state) {
  if (state.polled) return;
  state.polled = true;
  state.worker.add_poller({&poll, &state});
}

Queues queues(const Worker& worker, const Comm* comm) {
  const Matcher& matcher = worker.p2p().matcher;
  if (!comm) return {matcher.posted(), matcher.unexpected()};
  return {matcher.posted_in(comm->context), matcher.unexpected_in(comm->context)};
}

std::size_t unexpected_bytes(const Worker& worker) { return worker.p2p().matcher.unexpected_bytes(); }
std::size_t take_most_unexpected(Worker& worker) { return worker.p2p().matcher.take_most_unexpected(); }

}  // namespace starling::p2p
