// SPDX-License-Identifier: BSD-3-Clause
// What a rank measures, and where it keeps it until it goes to the profile segment. Knows no MPI type: handles are words, and
// what has to be asked of the MPI library is asked through Library. The wrappers (hooks.inc) call it after the call they are
// about, so its own work counts as computation. It lies on the path of every call: what a call usually needs is inline and
// looks at nothing but what was used last; everything else is in recorder.cc. All functions want a Timed that is done, or one
// thread only.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "profile/calls.gen.h"
#include "profile/segment.h"
#include "profile/table.h"

// Nothing here is for other libraries: it need not be looked up in a table.
#pragma GCC visibility push(hidden)

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

// The messages from one process to another with one tag, in one communicator: they do not overtake, so counting names them.
struct Channel {
  std::uint64_t next;   // identity of the next message
  std::int32_t tag;     // negative: nobody's
  std::uint32_t world;  // the other process
  Traffic* traffic;     // with it
};

// The channels that were used last with one process. They are looked at first, because programs tend to stay with a tag.
struct Peer {
  Channel* sent;
  Channel* received;
};

struct Comm {
  std::uint64_t id = 0;    // the same on all members; different for different communicators; 0: nothing is known of it
  std::uint64_t next = 0;  // identity of the next collective operation
  std::size_t size = 0;    // of the group to which messages are addressed
  int rank = 0;
  bool inter = false;
  std::vector<int> world;  // by rank in that group: rank in MPI_COMM_WORLD
  std::vector<Peer> peers;
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
  Event event{};
  Operation operation;
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

  // Joins the job's segment (`may_share`: or makes one with the help of MPI_COMM_WORLD). Says on stderr why it cannot.
  // `threads`: several at once may be in MPI.
  void join(const Library& library, int rank, int ranks, bool may_share, bool threads);
  void leave();
  void mark_end();  // the last session may be over
  void report_before_abort();

  // A call begins. idle(): it is to be recorded, and nothing is special; the clock is the processor's counter.
  bool idle() const { return idle_; }
  void set_idle(bool idle) { idle_ = idle; }
  // In general: true if it is to be recorded, and not part of another call. When its time is over, other threads wait until it
  // has been written down.
  bool enter();
  void begin_writing();
  void end_writing();
  std::uint64_t now() const { return ticks(steady_); }
  RankBlock& block() { return *block_; }

  void account(const Span& span);
  Comm* comm(Word handle) { return handle == last_handle_ ? last_comm_ : find_comm(handle); }
  void forget_comm(Word handle);
  std::uint64_t type_size(Word datatype) { return datatype == last_type_ ? last_size_ : find_type_size(datatype); }
  void forget_type(Word datatype);

  // The rank starts its part of an operation at time `post`. False, and the identity 0, if the profile does not know for whom
  // it may wait. A receive that leaves source or tag open gets its identity when those are known.
  bool start(const Operation& operation, std::uint64_t post, Event& event);
  // Writes down an event that was started: the rank waited for its end during span (nullptr: it did not wait).
  void end(Event event, const Span* span);
  // Makes clear for whom a span waited, after the end() of all its events.
  void count_split(const Span& span) { block_->calls[span.call].split += span.end - span.begin; }

  // Requests.
  void add(Word request, const Operation& operation, const Event& event, bool persistent, bool active);
  Pending* pending(Word request) { return requests_.find(request); }
  void completed(Pending* pending, const Span* span);
  void forget(Word request);

 private:
  void open_segment(int rank, int ranks, bool may_share);
  [[gnu::cold]] Comm* find_comm(Word handle);
  [[gnu::cold]] std::uint64_t find_type_size(Word datatype);
  Channel* channel(Comm& comm, Channel* Peer::*side, int peer, int tag);
  [[gnu::cold]] Channel* find_channel(Comm& comm, Channel* Peer::*side, int peer, int tag);
  [[gnu::cold]] bool make_room(std::uint64_t identity);

  // What every call looks at comes first.
  bool idle_ = false;
  RankBlock* block_ = nullptr;
  Word last_handle_ = ~Word{0};
  Comm* last_comm_ = nullptr;
  Word last_type_ = ~Word{0};
  std::uint64_t last_size_ = 0;
  Traffic* traffic_ = nullptr;
  Event* next_event_ = nullptr;
  Event* end_events_ = nullptr;
  std::uint64_t largest_identity_ = ~std::uint64_t{0};  // of events that are kept
  Table<Pending> requests_;

  const Library* library_ = nullptr;
  Segment segment_;
  Event* events_ = nullptr;
  bool own_segment_ = false;
  bool steady_ = false;
  int rank_ = 0;
  Table<Comm*> comms_;
  Table<std::uint32_t> made_;        // how many communicators with the same members
  Table<Channel*> sent_, received_;  // by what names the channel
  struct TypeSize {
    Word datatype = ~Word{0};
    std::uint64_t bytes = 0;
  };
  TypeSize sizes_[64];
};

extern Recorder recorder;

// One call: made before it, told of its end; until it goes, no other thread is in the recorder. A wrapper is a template over
// the two kinds below, so that the usual path is free of what is special.
class Timed {
 public:
  Timed(const Timed&) = delete;
  bool active() const { return active_; }
  bool good() const { return good_; }  // there is something to write down; asked after done()
  const Span& span() const { return span_; }

 protected:
  Timed(Call call, bool active) : active_(active), span_{call, 0, 0} {}
  void begin(std::uint64_t now) {
    span_.begin = now;
    recorder.block().inside_since = now;
    recorder.block().inside = span_.call + 1u;
  }
  void end(std::uint64_t now, int code) {
    span_.end = now;
    good_ = code == 0;
    recorder.account(span_);
  }

 private:
  const bool active_;
  bool good_ = false;
  Span span_;
};

// One thread at a time is in MPI, and this call is not part of another one.
class Usual : public Timed {
 public:
  static bool refuses() { return !recorder.idle(); }  // then it is a Special
  explicit Usual(Call call) : Timed(call, true) {
    recorder.set_idle(false);
    begin(counter());
  }
  ~Usual() { recorder.set_idle(true); }
  int done(int code) {
    end(counter(), code);
    return code;
  }
};

// Everything else: before MPI_Init, inside of another call (of a tool, a callback of the user), with threads, without a steady
// counter.
class Special : public Timed {
 public:
  static bool refuses() { return false; }
  [[gnu::noinline]] explicit Special(Call call) : Timed(call, recorder.enter()) {
    if (active()) begin(recorder.now());
  }
  [[gnu::noinline]] ~Special() {
    if (active()) recorder.end_writing();
  }
  [[gnu::noinline]] int done(int code) {
    if (!active()) return code;
    const std::uint64_t now = recorder.now();
    recorder.begin_writing();
    end(now, code);
    return code;
  }
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

inline void count(SizeCount& bucket, std::uint64_t bytes) {
  ++bucket.messages;
  bucket.bytes += bytes;
}

// nullptr: nobody, or somebody whom the profile does not know. MPI_PROC_NULL and what is left open are negative.
inline Channel* Recorder::channel(Comm& comm, Channel* Peer::*side, int peer, int tag) {
  const auto index = static_cast<std::size_t>(static_cast<unsigned>(peer));
  if (index >= comm.size) return nullptr;
  Channel* last = comm.peers[index].*side;
  return last->tag == tag ? last : find_channel(comm, side, peer, tag);
}

inline bool Recorder::start(const Operation& operation, std::uint64_t post, Event& event) {
  event = {};
  event.post = post;
  event.role = operation.role;
  Comm& comm = *operation.comm;
  // The number of its bits, in a form that needs no case for 0.
  const auto size_bits = static_cast<unsigned>(std::bit_width(2 * operation.bytes + 1)) - 1;
  if (operation.role < Role::kSender) {
    if (comm.id == 0) return false;
    event.identity = comm.next;
    comm.next += kIdentityStep;
    if (operation.role == Role::kLeaf)
      event.partner = static_cast<std::uint32_t>(comm.world[static_cast<std::size_t>(operation.peer)]);
    if (operation.role == Role::kPrefix) event.partner = static_cast<std::uint32_t>(comm.rank);
    count(block_->collective_sizes[size_bits], operation.bytes);
    return true;
  }
  const bool sends = operation.role == Role::kSender;
  Channel* way = channel(comm, sends ? &Peer::sent : &Peer::received, operation.peer, operation.tag);
  if (!way) return false;
  event.partner = way->world;
  event.identity = way->next;
  if (operation.role != Role::kLookout) way->next += kIdentityStep;  // who only looks leaves the message there
  if (!sends) return true;
  count(block_->message_sizes[size_bits], operation.bytes);
  count(*way->traffic, operation.bytes);
  return true;
}

inline void Recorder::end(Event event, const Span* span) {
  if (event.identity > largest_identity_) return;
  if (next_event_ == end_events_ && !make_room(event.identity)) [[unlikely]]
    return;
  if (span) {
    event.begin = span->begin;
    event.end = span->end;
    event.call = span->call;
  }
  *next_event_++ = event;
  std::atomic_signal_fence(std::memory_order_release);  // whoever reads after our sudden death finds only whole events
  ++block_->events;
}

inline void Recorder::add(Word request, const Operation& operation, const Event& event, bool persistent, bool active) {
  Pending& pending = requests_.at(request);
  // Some libraries give one handle to all operations that are complete when they return. What others may have waited for is
  // written down even if nobody here ever waits for it.
  if (pending.active && pending.event.identity != 0) [[unlikely]]
    end(pending.event, nullptr);
  pending.event = event;
  pending.operation = operation;
  pending.persistent = persistent;
  pending.active = active;
}

inline void Recorder::completed(Pending* pending, const Span* span) {
  if (pending->event.identity != 0) end(pending->event, span);
  pending->active = false;
  if (!pending->persistent) requests_.erase(pending);
}

}  // namespace starling::profile

#pragma GCC visibility pop
