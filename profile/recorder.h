// SPDX-License-Identifier: BSD-3-Clause
// What a rank measures, and where it keeps it until it goes to the profile segment. Knows no MPI type: handles are words, and
// what has to be asked of the MPI library is asked through Library. The wrappers (hooks.inc) call it after the call they are
// about, so its own work counts as computation. All functions but Timed's want the caller to hold a Guard.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "profile/calls.gen.h"
#include "profile/segment.h"
#include "profile/table.h"

namespace starling::profile {

using Word = std::uint64_t;  // a handle's bits

inline constexpr int kAny = -1;  // source or tag that the receiver leaves open

struct Members {
  int rank = 0;  // of this process
  bool inter = false;
  std::vector<int> local, remote;  // ranks in MPI_COMM_WORLD, negative for processes outside; remote only if inter
};

// What the recorder asks of the MPI library. One for each ABI (library.cc).
struct Library {
  bool (*members)(Word comm, Members& members);
  std::uint64_t (*type_size)(Word datatype);
  bool (*broadcast)(void* data, int bytes);  // from rank 0 of MPI_COMM_WORLD
  void (*barrier)();
};

struct Comm {
  std::uint64_t id = 0;       // the same on all members; different for different communicators
  std::uint32_t started = 0;  // collective operations
  int rank = 0;
  bool inter = false;
  std::vector<int> peers;  // ranks in MPI_COMM_WORLD of those to whom messages are addressed
};

struct Operation {
  Comm* comm = nullptr;  // nullptr: nothing that others take part in
  Role role = Role::kAll;
  int peer = 0;  // rank in comm: the other side, or the root of a kLeaf
  int tag = 0;
  std::uint64_t bytes = 0;
};

// An operation that a request stands for.
struct Pending {
  Operation operation;
  Event event{};
  bool persistent = false;
  bool active = false;
};

// The interval of one call.
struct Span {
  Call call;
  std::uint64_t begin, end;
};

class Recorder {
 public:
  // Set while the rank runs between init and finalize with a segment to write to.
  bool on = false;
  bool threads = false;  // several at once may be in MPI

  // Joins the job's segment (`may_share`: or makes one with the help of MPI_COMM_WORLD). Says on stderr why it cannot.
  void join(const Library& library, int rank, int ranks, bool may_share);
  void leave();
  void mark_end();  // the last session may be over
  void report_before_abort();

  std::uint64_t now() const { return ticks(steady_); }
  RankBlock& block() { return *block_; }

  void account(const Span& span);
  Comm* comm(Word handle);
  void forget_comm(Word handle);
  std::uint64_t type_size(Word datatype);
  void forget_type(Word datatype);

  // The rank starts its part of an operation at time `post`. A receive that leaves source or tag open gets its identity when
  // those are known.
  Event start(const Operation& operation, std::uint64_t post);
  // Writes down an event: the rank waited for its end during span (nullptr: it did not wait). Counts the span once.
  void end(const Event& event, const Span* span);
  // Makes clear for whom a span waited, after the end() of all its events.
  void count_split(const Span& span) { block_->calls[span.call].split += span.end - span.begin; }

  // Requests.
  void add(Word request, const Pending& pending);
  Pending* pending(Word request) { return requests_.find(request); }
  void completed(Word request, Pending& pending, const Span* span);
  void forget(Word request);

 private:
  void open_segment(int rank, int ranks, bool may_share);
  void write(const Event& event);
  void thin();
  std::uint64_t number(Table<std::uint32_t>& channels, std::uint64_t channel, std::uint64_t message);

  const Library* library_ = nullptr;
  Segment segment_;
  RankBlock* block_ = nullptr;
  Event* events_ = nullptr;
  Traffic* traffic_ = nullptr;
  std::uint64_t mask_ = 0;  // events with one of these bits in their identity are not kept
  bool steady_ = false;
  bool own_segment_ = false;
  int rank_ = 0;
  Table<Comm*> comms_;
  Word last_handle_ = ~Word{0};
  Comm* last_comm_ = nullptr;
  Table<std::uint32_t> made_;             // how many communicators with the same members
  Table<std::uint32_t> sent_, received_;  // messages by communicator, peer and tag
  Table<Pending> requests_;
  struct TypeSize {
    Word datatype = ~Word{0};
    std::uint64_t bytes = 0;
  };
  TypeSize sizes_[64];
};

extern Recorder recorder;
extern std::atomic_flag recorder_lock;
// More than 0 inside of a call: calls that a tool or a callback of the user makes meanwhile are part of it.
inline thread_local int depth [[gnu::tls_model("initial-exec")]] = 0;

// Keeps other threads out of the recorder, if there may be any.
class Guard {
 public:
  Guard() : held_(recorder.threads) {
    while (held_ && recorder_lock.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~Guard() {
    if (held_) recorder_lock.clear(std::memory_order_release);
  }
  Guard(const Guard&) = delete;

 private:
  const bool held_;
};

// Times one call: made before it, told of its end.
class Timed {
 public:
  explicit Timed(Call call) : active_(recorder.on && depth == 0), span_{call, 0, 0} {
    if (!active_) return;
    depth = 1;
    span_.begin = recorder.now();
    recorder.block().inside_since = span_.begin;
    recorder.block().inside = call + 1u;
  }
  // Passes the code on. Afterwards good() tells whether there is something to write down.
  int done(int code) {
    if (!active_) return code;
    span_.end = recorder.now();
    depth = 0;
    good_ = code == 0;
    Guard guard;
    recorder.account(span_);
    return code;
  }
  bool active() const { return active_; }
  bool good() const { return good_; }
  const Span& span() const { return span_; }

 private:
  const bool active_;
  bool good_ = false;
  Span span_;
};

inline void Recorder::account(const Span& span) {
  CallStats& stats = block_->calls[span.call];
  const std::uint64_t spent = span.end - span.begin;
  ++stats.count;
  stats.ticks += spent;
  if (spent > stats.max) stats.max = spent;
  block_->last = span.end;
  block_->inside = 0;
}

}  // namespace starling::profile
