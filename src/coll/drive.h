// SPDX-License-Identifier: BSD-3-Clause
// Driving collectives: the blocking, non-blocking and persistent forms of an operation are the same algorithm (DESIGN D4).
//
// The functions are called with the worker lock held, by all processes of the communicator in the same order; each call takes
// the next tag of the communicator, so that several operations may be under way at a time. They throw Error.
//
// There are two orders, that of the blocking operations and that of those with a request, each with its own numbers, tags and
// board. MPI asks for a single one, but programs exist that start a request before a blocking call at one process and after it
// at another (doc/coll.md says why that is safe).
#pragma once

#include <chrono>
#include <memory>

#include "coll/plan.h"
#include "coll/tuning.h"
#include "p2p/request.h"

namespace starling::coll {

// The tag of the next operation on the communicator: its number in its order, and which of the two that is.
inline int next_tag(Comm& comm, bool blocking) {
  const std::uint32_t order = blocking ? 0 : 1, number = comm.coll_sequence[order]++;
  return static_cast<int>((number << 1 | order) & INT32_MAX);
}

[[noreturn, gnu::cold]] void fail_run(const Run& run);
// Throws if a message of the run has failed.
inline void check(const Run& run) {
  if (run.error != kSuccess) [[unlikely]]
    fail_run(run);
}

// The blocking form, with a given algorithm.
template <class Args>
[[gnu::always_inline]] inline void run_with(const Algorithm<Args>& algorithm, Run& run, const Ctx& c, const Args& args) {
  algorithm.run(c, args).run();
  check(run);
}

// While algorithms are being tried (coll/tuning.h).
template <class Args>
[[gnu::noinline]] void run_in_turn(const Collective<Args>& collective, Run& run, const Ctx& c, const Args& args) {
  Trial* trial = trial_of(collective, c, args);
  if (!trial) return run_with(choose(collective, c, args), run, c, args);
  const Trial::Turn turn = trial->next();
  const auto& algorithm = *static_cast<const Algorithm<Args>*>(trial->candidates()[turn.candidate].algorithm);
  if (!applicable(algorithm, c, args, Order::kCalls)) return run_with(choose(collective, c, args), run, c, args);
  note_choice(collective, c, args, algorithm);
  const auto began = std::chrono::steady_clock::now();
  run_with(algorithm, run, c, args);
  trial->note(turn, std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - began).count());
}

template <class Args>
[[gnu::always_inline]] inline void run(const Collective<Args>& collective, Comm& comm, const Args& args) {
  Run state(*comm.worker, next_tag(comm, true), true);
  Ctx c(state, comm);
  if (comm.worker->tries_algorithms) [[unlikely]]
    return run_in_turn(collective, state, c, args);
  run_with(choose(collective, c, args), state, c, args);
}

// What a request of a collective runs, as often as it is started. Owned by the request.
class Job : public TaskOwner {
 public:
  Job(Comm& comm, Request& request)
      : TaskOwner{&ended_}, request_(request), run_(*comm.worker, next_tag(comm, false), false), c_(run_, comm) {}
  virtual ~Job() = default;

  void start();

 protected:
  virtual Task make() = 0;
  const Ctx& context() const { return c_; }
  Kept kept_;

 private:
  static void ended_(TaskOwner& self);

  Request& request_;
  Run run_;
  Ctx c_;
  Task task_;
};

template <class Args>
class JobOf final : public Job {
 public:
  JobOf(Comm& comm, Request& request, const Collective<Args>& collective, const Args& args, Order order)
      : Job(comm, request), args_(args), algorithm_(choose(collective, context(), args, order)) {
    args_.keep(kept_, comm);
  }
  JobOf(Comm& comm, Request& request, const Algorithm<Args>& algorithm, const Args& args, Order)
      : Job(comm, request), args_(args), algorithm_(algorithm) {
    args_.keep(kept_, comm);
  }

 private:
  Task make() override { return algorithm_.run(context(), args_); }
  Args args_;
  const Algorithm<Args>& algorithm_;
};

struct CollRequest : Request {
  std::unique_ptr<Job> job;
};

// RequestOps of the requests of a collective, by the names of the functions that make them.
void start_request(Request& request);
void destroy_request(Request& request);
constexpr RequestOps nonblocking_ops(const char* name) { return {name, nullptr, nullptr, nullptr, destroy_request}; }
constexpr RequestOps persistent_ops(const char* name) { return {name, start_request, nullptr, nullptr, destroy_request}; }

// An inactive persistent request. `how` is a Collective, whose rules choose the algorithm, or an Algorithm.
template <class How, class Args>
CollRequest* make_request(const RequestOps& ops, const How& how, Comm& comm, const Args& args, Order order) {
  Ref<CollRequest> request = Ref<CollRequest>::adopt(p2p::make_request<CollRequest>(ops, *comm.worker, &comm));
  request->persistent = true;
  request->active = false;
  request->job = std::make_unique<JobOf<Args>>(comm, *request, how, args, order);
  return request.leak();
}

// The persistent form: to be started by MPI_Start.
template <class Args>
Request* prepare(const Collective<Args>& collective, Comm& comm, const Args& args) {
  return make_request(collective.persistent, collective, comm, args, Order::kAny);
}

// The non-blocking form, with a given algorithm or Collective: under way already.
template <class How, class Args>
Request* start_with(const RequestOps& ops, const How& how, Comm& comm, const Args& args) {
  Ref<CollRequest> request = Ref<CollRequest>::adopt(make_request(ops, how, comm, args, Order::kCalls));
  request->persistent = false;
  request->active = true;
  request->job->start();
  return request.leak();
}
template <class Args>
Request* start(const Collective<Args>& collective, Comm& comm, const Args& args) {
  return start_with(collective.nonblocking, collective, comm, args);
}

}  // namespace starling::coll
