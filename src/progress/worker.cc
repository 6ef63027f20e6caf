// SPDX-License-Identifier: BSD-3-Clause
#include "progress/worker.h"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/error.h"
#include "base/events.h"
#include "base/settings.h"
#include "progress/threads.h"
#include "transport/doorbell.h"

namespace starling {

namespace {

constexpr unsigned kYieldsPerLook = 16;  // at the clock, which costs as much as 1/20 of a yield
// Polls without result before a thread yields while others of its process need its processor: about as long as it takes to
// switch to another one and back. So what comes soon costs no switch, and waiting in vain costs no more than the switch itself.
constexpr unsigned kCrowdedSpins = 512;
// The same when another thread is likely to be able to go on: something was done in this wait that may be for it, or it has not
// run since the last yield for want of a processor only.
constexpr unsigned kShortSpins = 64;
// From one look at the other workers to the next, while a thread spins.
constexpr unsigned kPollsPerHelp = 32;

// Threads that live and have called MPI while it was multithreaded.
constinit std::atomic<int> threads{0};
constinit std::atomic<int> processors{std::numeric_limits<int>::max()};

// The name of a thread is an address. Every call of MPI asks for it, so it is one that needs neither a function nor a test.
[[gnu::tls_model("initial-exec")]] constinit thread_local bool counted = false;

[[gnu::cold, gnu::noinline]] void count_this_thread() {
  struct Count {
    Count() { threads.fetch_add(1, std::memory_order_relaxed); }
    ~Count() { threads.fetch_sub(1, std::memory_order_relaxed); }
  };
  thread_local Count until_it_ends;
  static_cast<void>(until_it_ends);
  counted = true;
}

}  // namespace

std::uint64_t Worker::now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(t.tv_nsec);
}

void set_processors(int n) { processors.store(n, std::memory_order_relaxed); }

bool threads_are_crowded() { return threads.load(std::memory_order_relaxed) > processors.load(std::memory_order_relaxed); }

Worker::Worker(Peer self, int residents, Worker* home)
    : Inbox(self),
      peers(static_cast<Peer>(residents)),
      reproducible(settings().reproducible),
      endpoints_(static_cast<std::size_t>(residents), nullptr),
      team_(home ? home->team_ : std::make_shared<Team>()),
      number_(static_cast<int>(team_->workers.size())) {
  team_->workers.push_back(this);
  if (home) {
    job = home->job;
    bell = home->bell;
    ranks_per_core = home->ranks_per_core;
    cores_shared = home->cores_shared;
  }
  read_settings();
  doorbell::prepare();
}

void Worker::read_settings() {
  tries_algorithms = settings().coll_dynamic_tuning;
  spin_count_ = static_cast<unsigned>(std::max(settings().spin_count, 0));
  sleep_after_ns_ = static_cast<std::uint64_t>(std::max(settings().sleep_after_us, 0)) * 1000;
  hang_after_ns_ = static_cast<std::uint64_t>(std::max(settings().hang_timeout, 0)) * 1'000'000'000u;
}

Worker::~Worker() = default;

void Worker::add_transport(std::unique_ptr<Transport> transport) { transports_.push_back(std::move(transport)); }

Endpoint& Worker::connect(Peer peer) {
  for (auto& transport : transports_)
    if (transport->reaches(peer)) {
      endpoints_[peer] = &transport->connect(peer);
      return *endpoints_[peer];
    }
  fail(kErrOther, "no transport reaches process %u", peer);
}

Peer Worker::admit(const ProcessAddress& address) {
  const Peer peer = peers.admit(address);
  if (peer >= endpoints_.size()) endpoints_.resize(peer + 1, nullptr);
  return peer;
}

void Worker::disconnect(Peer peer) {
  if (endpoints_[peer] && endpoints_[peer]->pending) return;  // the next time, then
  endpoints_[peer] = nullptr;
  bool over = true;
  for (auto& transport : transports_)
    if (transport->reaches(peer)) over = transport->disconnect(peer) && over;
  if (over) peers.forget(peer);
}

[[gnu::hot]] int Worker::progress() {
  int done = 0;
  ++counters.progress_passes;
  for (auto& transport : transports_) done += transport->progress();
  if (!pollers_.empty()) done += run_pollers();
  if (!ready_.empty()) done += run_ready();
  return done;
}

int Worker::run_ready() {
  // A coroutine that makes progress itself (a user's reduction function may) must find a list of its own.
  std::vector<std::coroutine_handle<>> batch = std::move(running_);
  batch.clear();
  std::swap(batch, ready_);
  for (auto coroutine : batch) coroutine.resume();
  int done = static_cast<int>(batch.size());
  running_ = std::move(batch);  // keeps the memory
  return done;
}

[[gnu::hot]] int Worker::run_pollers() {
  if (std::exchange(polling_, true)) return 0;  // progress from inside a poller
  int done = 0;
  for (std::size_t i = 0; i < pollers_.size(); ++i)
    if (Poller p = pollers_[i]; p.poll) done += p.poll(p.self);
  polling_ = false;
  std::erase_if(pollers_, [](const Poller& p) { return !p.poll; });
  return done;
}

[[gnu::hot]] void Worker::add_poller(Poller poller) { pollers_.push_back(poller); }

[[gnu::hot]] void Worker::remove_poller(Poller poller) {
  auto found = std::find(pollers_.begin(), pollers_.end(), poller);
  if (found == pollers_.end()) return;
  if (polling_) {
    found->poll = nullptr;
  } else {
    pollers_.erase(found);
  }
}

const void* Worker::this_thread() { return &counted; }

void Worker::lock() {
  if (mine()) {
    ++lock_depth_;
    return;
  }
  if (!counted) [[unlikely]]
    count_this_thread();
  take_lock(1);
}

bool Worker::try_lock() {
  if (mine()) {
    ++lock_depth_;
    return true;
  }
  if (!lock_.try_lock()) return false;
  took_lock(1);
  return true;
}

void Worker::unlock() {
  if (lock_depth_ == 1) {
    tell_sleepers();
    if (helper_) helper_->look();
  }
  let_go();
}

void Worker::let_go() {
  if (--lock_depth_ == 0) free_lock();
}

void Worker::free_lock() {
  lock_owner_.store(nullptr, std::memory_order_relaxed);
  lock_.unlock();
}

unsigned Worker::drop_lock() {
  const unsigned depth = std::exchange(lock_depth_, 0);
  free_lock();
  return depth;
}

void Worker::took_lock(unsigned depth) {
  lock_owner_.store(&counted, std::memory_order_relaxed);
  lock_depth_ = depth;
}

Worker::Depths Worker::release_all() {
  Depths depths{};
  for (Worker* worker : team())
    if (worker->mine()) depths[static_cast<std::size_t>(worker->number_)] = worker->drop_lock();
  return depths;
}

void Worker::acquire_again(const Depths& depths) {
  for (Worker* worker : team())
    if (const unsigned depth = depths[static_cast<std::size_t>(worker->number_)]; depth != 0) worker->take_lock(depth);
}

void Worker::take_lock(unsigned depth) {
  if (!lock_.try_lock()) {
    const bool crowded = ranks_per_core > 1 || threads_are_crowded();
    lock_waiters_.fetch_add(1, std::memory_order_relaxed);
    for (unsigned tries = 1; !lock_.try_lock(); ++tries) {
      if (crowded || tries % 64 == 0) {
        sched_yield();
      } else {
        cpu_relax();
      }
    }
    lock_waiters_.fetch_sub(1, std::memory_order_relaxed);
  }
  took_lock(depth);
}

[[gnu::hot]] Worker::Patience Worker::patience(bool others) const {
  if (ranks_per_core > 1) return {0, 1};
  if (!multithreaded || !threads_are_crowded()) return {spin_count_, 1};
  return {std::min(others ? kShortSpins : kCrowdedSpins, spin_count_), std::clamp(spin_count_, 1u, kShortSpins)};
}

[[gnu::hot]] void Worker::pause(Idle& idle) {
  const unsigned polls = ++idle.polls;
  // Something was done since the last pause (or before the wait began): a thread that sleeps may wait for just that, and the
  // lock is given away here without unlock(), which would tell it.
  if (polls == 1) {
    tell_sleepers();
    idle.since = idle.next_hang = 0;
  }
  // Spin while the core is ours. A wait that ended long ago tells nothing about this one, so the count starts anew each time.
  const auto [spins, step] = patience(idle.others);
  if (multithreaded && (polls % kPollsPerHelp == 0 || polls > spins) && help_others() > 0) {
    tell_sleepers();
    idle.others = true;
  }
  if (polls <= spins || (polls - spins) % step != 0) {
    if (multithreaded) {
      give_way();
    } else {
      cpu_relax();
    }
    return;
  }
  if (idle.since == 0) idle.since = now_ns();
  if ((polls - spins) / step % kYieldsPerLook != 0) return yield();
  const std::uint64_t waited = now_ns() - idle.since;
  if (hang_after_ns_ != 0 && waited > hang_after_ns_) [[unlikely]]
    look_for_hang(idle, waited);
  if (sleep_after_ns_ != 0 && waited > sleep_after_ns_) {
    sleep(team_->sleepers);
  } else {
    yield();
  }
}

void Worker::look_for_hang(Idle& idle, std::uint64_t waited_ns) {
  constexpr std::uint64_t kInterval = 1'000'000'000;
  if (waited_ns < idle.next_hang || !on_hang) return;
  Worker& namer = home();  // has the names of communicators
  if (multithreaded && !namer.try_lock()) return;
  on_hang(*this, waited_ns, idle.next_hang == 0);
  idle.next_hang = waited_ns + kInterval;
  if (multithreaded) namer.let_go();
}

[[gnu::hot]] void Worker::yield() {
  ++counters.yields;
  step_aside([] { sched_yield(); });
}

void Worker::give_way() {
  const auto wanted = [this] {
    for (const Worker* worker : team())
      if (worker->lock_waiters_.load(std::memory_order_relaxed) > 0 && worker->mine()) return true;
    return false;
  };
  if (!wanted()) return;
  // The locks are not fair: stay away until the other has had it, or for a moment.
  step_aside([this] {
    const auto waiters = [this] {
      int n = 0;
      for (const Worker* worker : team()) n += worker->lock_waiters_.load(std::memory_order_relaxed);
      return n;
    };
    for (int i = 0; i < 64 && waiters() > 0; ++i) cpu_relax();
    if (waiters() > 0) sched_yield();  // it may wait for this very core
  });
}

int Worker::help_others() {
  if (team().size() == 1) return 0;
  int done = 0;
  for (Worker* worker : team()) {
    if (worker == this || !worker->try_lock()) continue;
    done += worker->progress();
    if (worker->number_ == 0) worker->do_what_was_left();
    worker->unlock();
  }
  if (number_ == 0) do_what_was_left();
  return done;
}

void Worker::leave_to_home(void (*do_it)(void*), void* object) {
  const SpinGuard guard(team_->left_lock);
  team_->left.push_back({do_it, object});
  team_->any_left.store(true, std::memory_order_relaxed);
}

void Worker::do_what_was_left() {
  if (!team_->any_left.load(std::memory_order_relaxed)) return;
  std::vector<Team::Left> left;
  {
    const SpinGuard guard(team_->left_lock);
    std::swap(left, team_->left);
    team_->any_left.store(false, std::memory_order_relaxed);
  }
  for (const auto& [do_it, object] : left) do_it(object);
}

void Worker::pass_on(events::Kind kind, const events::Elements& elements) {
  if (number_ == 0) return events::pass_on(kind, elements);
  struct Event {
    events::Kind kind;
    events::Elements elements;
  };
  const auto tell = [](void* object) {
    const std::unique_ptr<Event> event(static_cast<Event*>(object));
    events::pass_on(event->kind, event->elements);
  };
  leave_to_home(tell, new Event{kind, elements});
}

// Pairs with sleep(), which counts the sleeper before it looks for the last time: relaxed, because what this thread has done
// was done under a lock that the sleeper has taken to look, before or after.
void Worker::tell_sleepers() {
  if (team_->sleepers.load(std::memory_order_relaxed) > 0) [[unlikely]]
    doorbell::wake(*bell);
}

void Worker::start_helper(const Helper::Work& work, int cpu, bool own_core) {
  if (helper_) return;  // it reads what is written here
  multithreaded = true;
  helper_ = std::make_unique<Helper>(*this, work, cpu, own_core);
}

bool Worker::nothing_to_do() {
  bool nothing = progress() == 0;  // what arrived before the senders could see the bell; also completes what others hold
  for (auto& transport : transports_) nothing = nothing && transport->arm();
  return nothing;
}

bool Worker::sleep(std::atomic<int>& sleepers) {
  sleepers.fetch_add(1, std::memory_order_relaxed);
  std::uint32_t announced;
  {
    const SpinGuard guard(team_->bell);
    announced = doorbell::announce(*bell);
  }
  bool armed = nothing_to_do();
  // A worker that somebody holds is looked at again later: whoever it is may be past its own look.
  for (Worker* other : team()) {
    if (other == this || !armed) continue;
    armed = other->try_lock();
    if (!armed) continue;
    armed = other->nothing_to_do();
    other->let_go();  // without a word to sleepers: this thread is one
  }
  if (armed) {
    const std::uint64_t began = now_ns();
    step_aside([&] { doorbell::sleep(*bell, announced); });
    const std::uint64_t slept = now_ns() - began;
    ++counters.sleeps;
    counters.time_asleep += slept;
    raise(events::Kind::kSleep, static_cast<std::int64_t>(slept));
  }
  {
    const SpinGuard guard(team_->bell);
    sleepers.fetch_sub(1, std::memory_order_relaxed);
    if (team_->sleepers.load(std::memory_order_relaxed) + team_->helper_sleeps.load(std::memory_order_relaxed) == 0)
      doorbell::retract(*bell);
  }
  if (!armed) tell_sleepers();
  return armed;
}

}  // namespace starling
