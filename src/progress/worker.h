// SPDX-License-Identifier: BSD-3-Clause
// Worker: a progress context. It owns the transports and knows the endpoints of one process, drives whatever waits for
// messages, and knows how to wait. The simulated transport makes thousands in one process, so nothing below may use a global
// instead of its worker.
//
// At MPI_THREAD_MULTIPLE a process has several, a team (doc/threads.md). The first one, home, serves everything; the others
// only users' point-to-point messages of communicators that are theirs (Comm::message_worker), so that threads with
// communicators of their own do not meet. Whoever waits looks after the other workers as well, as far as nobody holds them.
//
// Thread-safety: everything is called with the worker's lock held (or with one thread only), except lock(), leave_to_home() and
// what is const. Who holds home may wait for the lock of another worker; who holds another one and not home waits for none, but
// may try. So no two threads ever wait for each other's locks.
#pragma once

#include <array>
#include <atomic>
#include <coroutine>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "base/counters.h"
#include "base/events.h"
#include "base/job.h"
#include "base/spinlock.h"
#include "base/types.h"
#include "progress/helper.h"
#include "progress/peers.h"
#include "transport/transport.h"

namespace starling {

namespace p2p {
struct State;
}

// Work that a layer above wants to be driven from progress (sends without room, long copies, generalized requests ...).
// `poll` returns whether it did something. It may remove itself.
struct Poller {
  bool (*poll)(void* self);
  void* self;
  friend bool operator==(const Poller&, const Poller&) = default;
};

struct Team;

class Worker : public Inbox {
 public:
  // `home`: the first worker of the process, whose team this one joins; nullptr: it is the first.
  explicit Worker(Peer self, int residents, Worker* home = nullptr);
  ~Worker() override;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void add_transport(std::unique_ptr<Transport> transport);  // in order of preference
  // The endpoint to a peer, made on first use.
  Endpoint& endpoint(Peer peer) { return endpoints_[peer] ? *endpoints_[peer] : connect(peer); }

  // One pass over transports, pollers and ready coroutines. Never blocks. Returns what was done (0: nothing).
  int progress();

  // Returns when done() is true; makes progress meanwhile and waits in three gears (DESIGN D6): spin, yield, sleep.
  // Gives the worker lock away while it yields or sleeps. done() must become true only through progress or another thread.
  template <class Done>
  void wait(Done&& done) {
    if (done()) return;
    const Waiting here(*this);
    for (Idle idle; !done();) {
      if (progress() > 0) {
        idle.polls = 0;
        idle.others = true;
      } else if (!done()) {
        pause(idle);
      }
    }
  }

  // The same for a condition that another process makes true in memory that both see, and rings this worker's doorbell.
  // lacks_this_core() tells, where cores are shared, whether somebody who has to act first is on this one.
  template <class Done, class LacksThisCore>
  void wait_for_memory(Done&& done, LacksThisCore&& lacks_this_core) {
    if (done()) return;
    if (ranks_per_core > 1) {
      // The others must have their turn first, and a turn is short: looking for messages would be half of it.
      const auto soon = [&] { return done() || (!multithreaded && !lacks_this_core() && look_for_a_turn(done)); };
      if (soon()) return;
      yield();
      return watch(done, soon);
    }
    // On a core of one's own what is awaited may be under way: a line that crosses between cores is sooner seen by looking at
    // nothing else.
    constexpr int kLooks = 50;
    for (int look = 0; look < kLooks; ++look) {
      if (done()) return;
      cpu_relax();
    }
    watch(done, done);
  }

  // Resumes the coroutine from the next progress pass (never from inside the caller).
  void make_ready(std::coroutine_handle<> coroutine) { ready_.push_back(coroutine); }
  // Whether a helper makes progress while the application computes: what takes long is then better made ready than done at
  // once.
  bool has_helper() const { return helper_ != nullptr; }
  void add_poller(Poller poller);
  void remove_poller(Poller poller);

  // State of point-to-point on this worker: made by p2p::attach, destroyed with the worker.
  p2p::State& p2p() const { return *p2p_; }
  using P2pPointer = std::unique_ptr<p2p::State, void (*)(p2p::State*)>;
  void set_p2p(P2pPointer state) { p2p_ = std::move(state); }

  // Takes over settings that calls look at: when the worker is made, and when a tool has changed them.
  void read_settings();

  // The worker lock: taken by the entry of every MPI function (abi/entry/call.h) when the thread level is MPI_THREAD_MULTIPLE;
  // recursive, because callbacks of the user may call MPI.
  void lock();
  bool try_lock();
  void unlock();
  bool multithreaded = false;

  bool has_lock() const { return !multithreaded || mine(); }  // the calling thread

  // The workers of the process, home first. All but home have been made before other threads can see home.
  std::span<Worker* const> team() const;
  Worker& home() const { return *team().front(); }
  int number() const { return number_; }
  // For a caller that only looks whether something has come (MPI_Test): progress, and now and then for the rest of the team.
  void look() {
    progress();
    if (multithreaded && ++looks_ % kLooksPerHelp == 0) help_others();
  }
  // Makes progress for the rest of the team, as far as nobody holds it. Returns what was done.
  int help_others();
  int progress_all() { return progress() + help_others(); }
  // For what another worker finds to do that needs home's lock: do_it(object) is called soon, by a thread that has home.
  void leave_to_home(void (*do_it)(void*), void* object);
  void do_what_was_left();  // of home
  // Tells a tool of an event, if it wants to hear of it; that of another worker than home is left to home.
  void raise(events::Kind kind, std::int64_t a, std::int64_t b = 0, std::int64_t c = 0, std::int64_t d = 0) {
    if (events::wanted()) [[unlikely]]
      pass_on(kind, {a, b, c, d});
  }
  // Starts the thread that makes progress by itself; nothing if it runs already. Makes the worker multithreaded.
  void start_helper(const Helper::Work& work, int cpu, bool own_core);
  void stop_helper() { helper_.reset(); }

  // The segment of the job on this host; peers are its ranks. Its base is nullptr if there is none.
  JobMapping job;

  // MVP_HANG_TIMEOUT: called about once a second while a wait sees no progress for longer than that. Set by point-to-point.
  void (*on_hang)(Worker& worker, std::uint64_t waited_ns, bool first) = nullptr;

  // Processes of other jobs.
  Peers peers;
  Peer admit(const ProcessAddress& address) override;
  ProcessAddress address(Peer peer) const override { return peers.address(peer); }
  // Ends the connections to guests for which needed(peer) is false.
  template <class Needed>
  void release_guests(Needed&& needed) {
    for (Peer peer = peers.residents(); peer < peers.end(); ++peer)
      if (peers.is_guest(peer) && !needed(peer)) disconnect(peer);
  }

  // Calls wait(), which may take its time, with all locks of the team given away that this thread holds.
  template <class Wait>
  void step_aside(Wait&& wait) {
    Depths held{};
    if (multithreaded) held = release_all();
    wait();
    if (multithreaded) acquire_again(held);
  }

  // Waiting: how many ranks share the cores of this one (from the launcher; 1 = a core of its own).
  int ranks_per_core = 1;
  // Whether any rank of the job shares its core: the same at all ranks, for choices that all must make alike.
  bool cores_shared = false;
  // Whether reductions follow one order whatever happens (MVP_REPRODUCIBLE); the same at all ranks.
  bool reproducible;
  // Whether collectives try their algorithms (MVP_COLL_DYNAMIC_TUNING).
  bool tries_algorithms = false;
  // The node of each peer; without it all are on the one of this process.
  std::shared_ptr<const std::vector<int>> nodes;
  int node_of(Peer peer) const { return nodes ? (*nodes)[peer] : 0; }

 private:
  friend class Helper;
  // A thread of the user that waits makes progress meanwhile.
  struct Waiting {
    explicit Waiting(Worker& worker) : worker_(worker) {
      if (worker_.waiting_++ == 0) worker_.waiting->store(1, std::memory_order_relaxed);
    }
    ~Waiting() {
      if (--worker_.waiting_ == 0) worker_.waiting->store(0, std::memory_order_relaxed);
    }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;
    Worker& worker_;
  };

  static std::uint64_t now_ns();
  // wait() for a condition in memory; `soon` is the same, but may look at it for a while.
  template <class Done, class Soon>
  void watch(Done& done, Soon& soon) {
    if (soon()) return;
    // A waiter that goes to sleep must look once more after it has announced so: progress does. It reports the event once only:
    // another thread whose progress finds it must then pause, for this one to get the lock.
    struct Watch {
      Worker& worker;
      Done& done;
      static bool poll(void* self) {
        Watch& watch = *static_cast<Watch*>(self);
        if (!watch.done()) return false;
        watch.worker.remove_poller({&poll, self});
        return true;
      }
    } watch{*this, done};
    const Poller poller{&Watch::poll, &watch};
    add_poller(poller);
    wait(soon);
    remove_poller(poller);
  }
  // Looks at a condition for about as long as it takes to give the core away and get it back.
  template <class Done>
  static bool look_for_a_turn(Done&& done) {
    constexpr std::uint64_t kTurnNs = 2000;
    constexpr int kLooks = 8;  // between two looks at the clock, which take longer
    const std::uint64_t end = now_ns() + kTurnNs;
    do {
      for (int look = 0; look < kLooks; ++look) {
        if (done()) return true;
        cpu_relax();
      }
    } while (now_ns() < end);
    return false;
  }

  Endpoint& connect(Peer peer);
  void disconnect(Peer peer);
  int run_ready();
  int run_pollers();
  // How long a wait has been without result.
  struct Idle {
    unsigned polls = 0;
    bool others = false;          // before that something was done in this wait: another thread may have waited for it
    std::uint64_t since = 0;      // when it began to yield, in ns; 0: not yet
    std::uint64_t next_hang = 0;  // when on_hang is due, in ns after that; 0: it has not been called
  };
  struct Patience {
    unsigned spins, step;  // polls before the first yield, and from one yield to the next
  };
  Patience patience(bool others) const;
  void pause(Idle& idle);  // one step of the three gears
  void look_for_hang(Idle& idle, std::uint64_t waited_ns);
  void yield();
  // False: there was something to do, or a transport needs to be looked at again.
  bool sleep(std::atomic<int>& sleepers);
  bool nothing_to_do();  // looks, and asks the transports to ring the bell from now on
  void give_way();       // to a thread that wants a lock that this one holds
  void tell_sleepers();  // what this thread has done may be what a sleeping one waits for
  // How deep the calling thread holds each lock of the team.
  using Depths = std::array<unsigned, kMostWorkers>;
  Depths release_all();
  void acquire_again(const Depths& depths);
  bool mine() const { return lock_owner_.load(std::memory_order_relaxed) == this_thread(); }  // nobody else stores our name
  static const void* this_thread();
  void take_lock(unsigned depth);
  void took_lock(unsigned depth);
  void let_go();
  void free_lock();
  unsigned drop_lock();  // gives it away completely and returns how deep it was held
  void pass_on(events::Kind kind, const events::Elements& elements);

  std::vector<Endpoint*> endpoints_;
  std::vector<std::unique_ptr<Transport>> transports_;
  std::vector<std::coroutine_handle<>> ready_;
  std::vector<std::coroutine_handle<>> running_;  // those of the pass under way
  std::vector<Poller> pollers_;                   // poll == nullptr: removed during the pass under way
  bool polling_ = false;
  static constexpr unsigned kLooksPerHelp = 16;
  unsigned looks_ = 0;
  P2pPointer p2p_{nullptr, nullptr};

  Spinlock lock_;
  std::atomic<const void*> lock_owner_{nullptr};  // an address that identifies the thread
  unsigned lock_depth_ = 0;
  std::atomic<int> lock_waiters_{0};
  int waiting_ = 0;  // threads of the user in wait()
  std::shared_ptr<Team> team_;
  int number_ = 0;  // in the team
  std::unique_ptr<Helper> helper_;
  unsigned spin_count_ = 0;           // settings, by read_settings()
  std::uint64_t sleep_after_ns_ = 0;  // 0: never
  std::uint64_t hang_after_ns_ = 0;   // 0: never

 public:
  Counters counters;  // last, since they are many: what every call looks at lies together
};

// What the workers of a process share.
struct Team {
  std::vector<Worker*> workers;
  // Threads of the user that sleep or are about to, and whether the helper does.
  std::atomic<int> sleepers{0};
  std::atomic<int> helper_sleeps{0};
  Spinlock bell;  // held to announce and to retract: all sleep at one doorbell
  struct Left {
    void (*do_it)(void*);
    void* object;
  };
  Spinlock left_lock;
  std::vector<Left> left;             // to home, guarded by left_lock
  std::atomic<bool> any_left{false};  // a hint: whoever looks too early looks again later
};

inline std::span<Worker* const> Worker::team() const { return team_->workers; }

// Holds the lock of a worker for a scope; for a thread that holds home's, or none.
class WorkerGuard {
 public:
  explicit WorkerGuard(Worker& worker) : worker_(worker.multithreaded ? &worker : nullptr) {
    if (worker_) worker_->lock();
  }
  ~WorkerGuard() {
    if (worker_) worker_->unlock();
  }
  WorkerGuard(const WorkerGuard&) = delete;
  WorkerGuard& operator=(const WorkerGuard&) = delete;

 private:
  Worker* worker_;
};

// Calls visit(Worker&) for each worker of the process, with its lock held; for a thread that holds home's.
template <class Visit>
void for_each_worker(const Worker& home, Visit&& visit) {
  for (Worker* worker : home.team()) {
    const WorkerGuard guard(*worker);
    visit(*worker);
  }
}

}  // namespace starling
