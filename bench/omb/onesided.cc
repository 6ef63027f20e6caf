// SPDX-License-Identifier: BSD-3-Clause
// One-sided operations from the first rank of each pair to the second (with pscw and fence also back), for each kind of
// window and synchronisation.
#include <cstdio>
#include <cstring>

#include "datatype.h"
#include "pairs.h"
#include "programs.h"

namespace omb {
namespace {

Sync default_sync(const Run& run) { return run.program->detail == kPutBothWays ? Sync::kPscw : Sync::kFlush; }
Sync sync_of(const Run& run) { return run.options.sync.value_or(default_sync(run)); }

// A window on all ranks, and where the peer's memory is in it.
class Window {
 public:
  Window(Run& run, size_t bytes) : peer_(Pairs(run).peer) {
    const auto size = static_cast<MPI_Aint>(bytes);
    switch (run.options.window_kind) {
      case WindowKind::kAllocate:
        MPI_Win_allocate(size, 1, MPI_INFO_NULL, run.comm, &memory_, &win_);
        break;
      case WindowKind::kCreate:
        memory_ = run.memory[2].at_least(bytes);
        MPI_Win_create(memory_, size, 1, MPI_INFO_NULL, run.comm, &win_);
        break;
      case WindowKind::kDynamic: {
        memory_ = attached_ = run.memory[2].at_least(bytes);
        MPI_Win_create_dynamic(MPI_INFO_NULL, run.comm, &win_);
        MPI_Win_attach(win_, memory_, size);
        MPI_Aint mine;
        MPI_Get_address(memory_, &mine);
        MPI_Sendrecv(&mine, 1, MPI_AINT, peer_, 0, &start_, 1, MPI_AINT, peer_, 0, run.comm, MPI_STATUS_IGNORE);
        break;
      }
    }
    MPI_Group all;
    MPI_Comm_group(run.comm, &all);
    MPI_Group_incl(all, 1, &peer_, &group_);
    MPI_Group_free(&all);
    std::memset(memory_, 0, bytes);
    MPI_Barrier(run.comm);
  }
  ~Window() {
    if (attached_) MPI_Win_detach(win_, attached_);
    MPI_Group_free(&group_);
    MPI_Win_free(&win_);
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  MPI_Win win() const { return win_; }
  MPI_Group group() const { return group_; }
  int peer() const { return peer_; }
  MPI_Aint start() const { return start_; }
  char* memory() const { return memory_; }

 private:
  MPI_Win win_ = MPI_WIN_NULL;
  MPI_Group group_ = MPI_GROUP_NULL;
  int peer_;
  MPI_Aint start_ = 0;
  char *memory_ = nullptr, *attached_ = nullptr;
};

// The operation under test; `call` makes the j-th of a window of them.
struct Access {
  Access(Run& run, const Message& m, int messages)
      : message(m),
        window(run, m.extent * static_cast<size_t>(messages)),
        origin(run.memory[0].at_least(m.extent * static_cast<size_t>(messages))),
        result(run.memory[1].at_least(m.extent * static_cast<size_t>(messages))) {}
  const Message& message;
  Window window;
  char *origin, *result;
  long calls = 0;  // by this rank
};

void put(Access& a, int j) {
  const size_t offset = static_cast<size_t>(j) * a.message.extent;
  MPI_Put(a.origin + offset, a.message.count, a.message.type, a.window.peer(), a.window.start() + static_cast<MPI_Aint>(offset),
          a.message.count, a.message.type, a.window.win());
}

void get(Access& a, int j) {
  const size_t offset = static_cast<size_t>(j) * a.message.extent;
  MPI_Get(a.origin + offset, a.message.count, a.message.type, a.window.peer(), a.window.start() + static_cast<MPI_Aint>(offset),
          a.message.count, a.message.type, a.window.win());
}

void accumulate(Access& a, int) {
  const Message& m = a.message;
  MPI_Accumulate(a.origin, m.count, m.arithmetic, a.window.peer(), a.window.start(), m.count, m.arithmetic, MPI_SUM,
                 a.window.win());
}

void get_accumulate(Access& a, int) {
  const Message& m = a.message;
  MPI_Get_accumulate(a.origin, m.count, m.arithmetic, a.result, m.count, m.arithmetic, a.window.peer(), a.window.start(),
                     m.count, m.arithmetic, MPI_SUM, a.window.win());
}

void fetch_and_op(Access& a, int) {
  MPI_Fetch_and_op(a.origin, a.result, a.message.arithmetic, a.window.peer(), a.window.start(), MPI_SUM, a.window.win());
}

// Turns 0 into 1 and 1 into 0, so that every call finds what it compares with. The operands are the first two elements of
// `origin`.
void compare_and_swap(Access& a, int) {
  const size_t now = static_cast<size_t>(a.calls & 1) * a.message.extent, next = a.message.extent - now;
  MPI_Compare_and_swap(a.origin + next, a.origin + now, a.result, a.message.arithmetic, a.window.peer(), a.window.start(),
                       a.window.win());
}

constexpr void (*kCalls[])(Access&, int) = {put,         get, put, accumulate, get_accumulate, compare_and_swap,
                                            fetch_and_op};  // by RmaOperation

// Epochs of the passive target: once around all iterations, and around each.
struct Passive {
  Sync sync;
  const Window& window;
  void open() const {
    if (sync == Sync::kFlush || sync == Sync::kFlushLocal) MPI_Win_lock(MPI_LOCK_SHARED, window.peer(), 0, window.win());
  }
  void begin() const {
    if (sync == Sync::kLock) MPI_Win_lock(MPI_LOCK_SHARED, window.peer(), 0, window.win());
    if (sync == Sync::kLockAll) MPI_Win_lock_all(0, window.win());
  }
  void end() const {
    switch (sync) {
      case Sync::kLock:
        MPI_Win_unlock(window.peer(), window.win());
        break;
      case Sync::kLockAll:
        MPI_Win_unlock_all(window.win());
        break;
      case Sync::kFlushLocal:
        MPI_Win_flush_local(window.peer(), window.win());
        break;
      default:
        MPI_Win_flush(window.peer(), window.win());
        break;
    }
  }
  void close() const {
    if (sync == Sync::kFlush || sync == Sync::kFlushLocal) MPI_Win_unlock(window.peer(), window.win());
  }
};

void access_epoch(const Window& window, auto operations) {
  MPI_Win_start(window.group(), 0, window.win());
  operations();
  MPI_Win_complete(window.win());
}

void exposure_epoch(const Window& window) {
  MPI_Win_post(window.group(), 0, window.win());
  MPI_Win_wait(window.win());
}

// The first rank of a pair alone makes its calls; the others only have to be inside MPI: they wait for the end of the
// warm-up, as measure() does, and for that of all calls.
Timing measure_passive(Run& run, const Pairs& pairs, const Access& access, auto operations) {
  const Passive passive{sync_of(run), access.window};
  if (!pairs.first) {
    MPI_Barrier(run.comm);
    MPI_Barrier(run.comm);
    return {};
  }
  passive.open();
  const Timing timing = measure(run, Pace::kTogether, [&](int) {
    passive.begin();
    operations();
    passive.end();
  });
  passive.close();
  MPI_Barrier(run.comm);
  return timing;
}

// What the target should hold after `calls` calls of a peer whose operand was 1: for -c.
template <class T>
bool holds(const Access& access, int operation, long calls) {
  const T* values = reinterpret_cast<const T*>(access.window.memory());
  const T expected = static_cast<T>(operation == kCompareAndSwap ? calls & 1 : calls);
  for (size_t i = 0; i < access.message.elements; ++i)
    if (values[i] != expected) return false;
  return true;
}

// 1, 0, 1, 0 ... for compare-and-swap begins with 0; for the sums all operands are 1.
template <class T>
void set_operands(Access& access, int operation) {
  T* values = reinterpret_cast<T*>(access.origin);
  if (operation == kCompareAndSwap) {
    values[0] = 0;
    values[1] = 1;
  } else {
    for (size_t i = 0; i < access.message.elements; ++i) values[i] = 1;
  }
}

// -c: the peer tells how often it called, and each rank looks at its own window.
bool verify(const Run& run, const Access& access, int operation) {
  long calls = 0;
  MPI_Sendrecv(&access.calls, 1, MPI_LONG, access.window.peer(), 1, &calls, 1, MPI_LONG, access.window.peer(), 1, run.comm,
               MPI_STATUS_IGNORE);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, run.rank, 0, access.window.win());  // makes what the peer wrote visible to loads
  bool good = false;
  switch (access.message.base) {
    case kChar:
      good = holds<signed char>(access, operation, calls);
      break;
    case kInt:
      good = holds<int>(access, operation, calls);
      break;
    default:
      good = holds<float>(access, operation, calls);
      break;
  }
  MPI_Win_unlock(run.rank, access.window.win());
  return good;
}

}  // namespace

Result rma_latency(Run& run, const Message& message, int operation) {
  Access access(run, message, operation == kCompareAndSwap ? 2 : 1);
  switch (message.base) {
    case kChar:
      set_operands<signed char>(access, operation);
      break;
    case kInt:
      set_operands<int>(access, operation);
      break;
    default:
      set_operands<float>(access, operation);
      break;
  }
  const Pairs pairs(run);
  const Window& window = access.window;
  const auto call = [&, one = kCalls[operation]] {
    one(access, 0);
    ++access.calls;
  };
  const auto fence = [&] { MPI_Win_fence(0, window.win()); };

  Timing timing;
  double parts = 2;  // with active targets both ranks take their turn
  switch (sync_of(run)) {
    case Sync::kPscw: {
      const auto first = [&](int) { access_epoch(window, call), exposure_epoch(window); };
      const auto second = [&](int) { exposure_epoch(window), access_epoch(window, call); };
      timing = pairs.first ? measure(run, Pace::kTogether, first) : measure(run, Pace::kTogether, second);
      break;
    }
    case Sync::kFence: {
      const auto first = [&](int) { fence(), call(), fence(), fence(); };
      const auto second = [&](int) { fence(), fence(), call(), fence(); };
      timing = pairs.first ? measure(run, Pace::kTogether, first) : measure(run, Pace::kTogether, second);
      break;
    }
    default:
      timing = measure_passive(run, pairs, access, call);
      parts = 1;
  }
  MPI_Barrier(run.comm);
  if (run.options.validate) timing.valid = verify(run, access, operation);
  return average_latency(run, timing, pairs.first, pairs.count, parts);
}

Result rma_bandwidth(Run& run, const Message& message, int operation) {
  const int messages = run.options.window_size();
  Access access(run, message, messages);
  const Window& window = access.window;
  const Pairs pairs(run);
  const bool both = operation == kPutBothWays, calls = both || pairs.first, exposes = both || !(pairs.first || pairs.idle);
  const auto burst = [&, one = kCalls[operation]] {
    for (int j = 0; j < messages; ++j) one(access, j);
  };

  Timing timing;
  switch (sync_of(run)) {
    case Sync::kPscw:
      timing = measure(run, Pace::kTogether, [&](int) {
        if (exposes) MPI_Win_post(window.group(), 0, window.win());
        if (calls) access_epoch(window, burst);
        if (exposes) MPI_Win_wait(window.win());
      });
      break;
    case Sync::kFence:
      timing = measure(run, Pace::kTogether, [&](int) {
        MPI_Win_fence(0, window.win());
        if (calls) burst();
        MPI_Win_fence(0, window.win());
      });
      break;
    default:
      timing = measure_passive(run, pairs, access, burst);
  }
  MPI_Barrier(run.comm);
  const double all = (both ? 2.0 : 1.0) * messages * pairs.count;
  Result result = total_bandwidth(run, timing, pairs.first, pairs.count, all * static_cast<double>(message.transmitted));
  result.values.push_back(all * run.count.iterations / timing.seconds);
  return result;
}

void announce_window(Run& run) {
  static constexpr const char* kWindows[] = {"MPI_Win_create", "MPI_Win_allocate", "MPI_Win_create_dynamic"};
  static constexpr const char* kSyncs[] = {"",
                                           "MPI_Win_lock/unlock",
                                           "MPI_Win_flush",
                                           "MPI_Win_flush_local",
                                           "MPI_Win_lock_all/unlock_all",
                                           "MPI_Win_post/start/complete/wait",
                                           "MPI_Win_fence"};
  if (run.root())
    std::printf("# Window creation: %s\n# Synchronization: %s\n", kWindows[static_cast<int>(run.options.window_kind)],
                kSyncs[static_cast<int>(sync_of(run))]);
}

void announce_window_and_pairs(Run& run) {
  announce_window(run);
  announce_pairs(run);
}

// With -c, what each rank found. Only the target of calls has something to look at.
static void print_verdicts(const Run& run) {
  if (!run.options.validate || !run.root()) return;
  const bool both = sync_of(run) == Sync::kPscw || sync_of(run) == Sync::kFence;
  const char* rule = "--------------------------------------------------";
  for (int rank = 0; rank < run.size; ++rank)
    std::printf("%s\nAtomic Data Validation results for Rank=%d:\n%s\n%s\n", rule, rank,
                rank == 0 && !both           ? "skipped"
                : run.status == EXIT_SUCCESS ? "passed"
                                             : "failed",
                rule);
}

void drive_accumulate(Run& run) {
  drive_tables(run);
  print_verdicts(run);
}

// One row for each type: an operation on one element.
void drive_atomic(Run& run) {
  print_top(run);
  for (int base : types_of(run)) {
    const BaseType& type = base_types()[static_cast<size_t>(base)];
    print_header(run, type.name);
    if (!measure_size(run, base, type.size)) break;
  }
  print_verdicts(run);
}

}  // namespace omb
