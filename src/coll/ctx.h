// SPDX-License-Identifier: BSD-3-Clause
// Ctx: what a collective algorithm sees of the world (DESIGN D4, D5). An algorithm is one coroutine over it and reads like the
// textbook:
//
//   Task barrier_dissemination(Ctx c, BarrierArgs) {
//     for (int distance = 1; distance < c.size; distance *= 2)
//       co_await c.sendrecv({}, (c.rank + distance) % c.size, {}, (c.rank - distance + c.size) % c.size);
//   }
//
// The same coroutine serves the blocking function (which never suspends it but waits inside, so that nothing is paid for the
// generality), the non-blocking and the persistent one, and runs over shared memory, a network, or simulated ranks.
//
// Errors: a message that fails (too long, peer gone) is noted in the Run, and the algorithm goes on to its end, so that no
// other process waits for ever and no operation is left behind; the Run reports the first such error.
// Thread-safety: worker lock.
#pragma once

#include <coroutine>
#include <cstddef>

#include "base/error.h"
#include "coll/arena.h"
#include "coll/data.h"
#include "coll/task.h"
#include "datatype/op.h"
#include "memory/copy.h"
#include "object/comm.h"
#include "p2p/p2p.h"
#include "progress/worker.h"

namespace starling::coll {

struct Run;
class Model;  // coll/model.h: predicts what an algorithm costs; real runs have none

// Counts messages under way. A coroutine waits until there are none. Stays where it is; waits for its messages when it ends.
struct Gate {
  explicit Gate(Run& r) : run(r) {}
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  ~Gate() {
    if (under_way > 0) [[unlikely]]
      drain();
  }

  // `room` is for the operation, which is made there.
  void send(p2p::SendOp& room, Comm& comm, Context context, const Data& what, int to);
  void recv(p2p::RecvOp& room, Comm& comm, Context context, const Data& what, int from);
  bool passable();  // true at once, or after waiting if the run is a blocking one

  Run& run;
  int under_way = 0;
  std::coroutine_handle<> waiter;

 private:
  [[gnu::cold]] void drain();
  void started(p2p::Operation& op);
  static void completed(p2p::Operation& op);
};

// What co_await takes: until the gate is passable.
struct Wait {
  Gate* gate;
  bool await_ready() const { return gate->passable(); }
  void await_suspend(std::coroutine_handle<> waiter) const { gate->waiter = waiter; }
  void await_resume() const {}
};

// One execution of a collective operation on one process. Lives from before its outermost Task until after it.
struct Run {
  Run(Worker& w, int message_tag, bool waits_inside) : worker(w), tag(message_tag), blocking(waits_inside), gate(*this) {}
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void note(int error_class) {
    if (error_class != kSuccess && error == kSuccess) [[unlikely]]
      error = error_class;
  }
  void note(const p2p::Operation& op) { note(op.status.error); }

  Worker& worker;
  const int tag;             // of all messages of this operation: tells it from others on the communicator
  const bool blocking;       // waits in co_await instead of suspending
  int error = kSuccess;      // class of the first message that failed
  bool past_caches = false;  // Ctx::touches
  // In a prediction nothing is sent, copied or computed; the model notes what it would cost this process.
  int process = 0;
  Model* model = nullptr;
  Gate gate;
  // Room for the messages of Ctx::send, recv and sendrecv: one algorithm waits for one of them at a time.
  union {
    p2p::SendOp send_op;
  };
  union {
    p2p::RecvOp recv_op;
  };
  Arena arena;  // last, since most of it is not touched
};

// What Ctx::copy does with buffers without gaps that no cache holds.
void copy_past_caches(const Data& from, const Data& to);

// What a model does instead (coll/model.cc).
void* model_memory();
void model_copy(Run& run, Count bytes);
void model_reduce(Run& run, Count bytes);

struct Ctx {
  Run* run;
  Comm* comm;
  Context context;               // of the messages
  int rank;                      // of this process in the (local) group
  int size;                      // of the (local) group
  int remote_size;               // of the group that ranks of messages name: == size for an intracommunicator
  const int* members = nullptr;  // of a part of the communicator: its rank i is members[i] of the whole

  Ctx(Run& r, Comm& over)
      : run(&r), comm(&over), context(over.context | 1), rank(over.rank), size(over.size), remote_size(over.remote_size) {}
  // The local group of an intercommunicator, for a part of the same operation.
  Ctx local() const { return Ctx(*run, *comm->local_comm); }
  // `n` processes of an intracommunicator as if they were all, for a part of the same operation; `ranks` outlives it. This
  // process is the one of rank `self`, or takes no part.
  Ctx among(const int* ranks, int n, int self) const {
    Ctx part = *this;
    part.members = ranks;
    part.rank = self;
    part.size = part.remote_size = n;
    return part;
  }
  // Rank of the communicator.
  int whole(int r) const { return members && r >= 0 ? members[r] : r; }

  Arena& arena() const { return run->arena; }

  // One message each; kProcNull as a rank does nothing. An empty Data is a message without content.
  Wait send(Data what, int to) const {
    run->gate.send(run->send_op, *comm, context, what, whole(to));
    return Wait{&run->gate};
  }
  Wait recv(Data what, int from) const {
    run->gate.recv(run->recv_op, *comm, context, what, whole(from));
    return Wait{&run->gate};
  }
  Wait sendrecv(Data out, int to, Data in, int from) const {
    run->gate.recv(run->recv_op, *comm, context, in, whole(from));
    run->gate.send(run->send_op, *comm, context, out, whole(to));
    return Wait{&run->gate};
  }

  // How many bytes all members on this host together read and write in the operation. If their caches do not hold that, copies
  // go past them from here on.
  void touches(Count bytes) const {
    const auto held = static_cast<Count>(memory::cache_bytes());
    run->past_caches = held != 0 && bytes > held;
  }

  // As many elements as both hold; the layouts may differ.
  void copy(Data from, Data to) const {
    if (from.count == 0 || to.count == 0 || (from.address == to.address && from.type == to.type)) return;
    if (run->model) [[unlikely]]
      return model_copy(*run, from.bytes() < to.bytes() ? from.bytes() : to.bytes());
    if (run->past_caches && from.type->contiguous && to.type->contiguous) [[unlikely]]
      return copy_past_caches(from, to);
    datatype::copy(from.address, from.count, *from.type, to.address, to.count, *to.type);
  }
  // inout = in op inout, for as many elements as `inout` has. Both have its type.
  void reduce(const Op& op, const Data& in, const Data& inout) const { combine(op, in, inout, inout); }
  // out = left op right, for as many elements as `out` has. All have its type. `out` may be one of the operands; if it is the
  // left one, the right one may be used up.
  void combine(const Op& op, const Data& left, const Data& right, const Data& out) const {
    if (run->model) [[unlikely]]
      return model_reduce(*run, out.bytes());
    op::combine(op, left.address, right.address, out.address, out.count, const_cast<Datatype&>(*out.type));
  }
  // Whether operands may change places, and be combined in whatever order suits: not where results shall be reproducible, since
  // rounding depends on it.
  bool may_reorder(const Op& op) const { return op.commutative && !run->worker.reproducible; }
};

// Memory for data of an algorithm while it runs. Not initialised. Name it: it must not be a temporary in a co_await expression.
class Scratch {
 public:
  explicit Scratch(const Ctx& c) : run_(*c.run) {}
  Scratch(const Ctx& c, Count bytes) : run_(*c.run) { take(bytes); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    if (memory_ && !run_.model) run_.arena.give(memory_, bytes_);
  }

  // Once at most.
  void* take(Count bytes) {
    if (run_.model) [[unlikely]]
      return memory_ = model_memory();
    bytes_ = static_cast<std::size_t>(bytes > 0 ? bytes : 1);
    return memory_ = run_.arena.take(bytes_);
  }
  // Room for `count` elements with the layout of `type`, gaps included.
  Data take(Count count, const Datatype& type) { return fitted(take(span(count, type)), count, type); }
  bool taken() const { return memory_; }
  std::byte* bytes() const { return static_cast<std::byte*>(memory_); }
  // A part of the memory as bytes.
  Data raw(Count first, Count n) const { return coll::raw(bytes() + first, n); }

 private:
  Run& run_;
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

// An array of plain values while an algorithm runs.
template <class T>
class ScratchArray {
 public:
  ScratchArray(const Ctx& c, Count n)
      : arena_(c.arena()), bytes_(static_cast<std::size_t>(n > 0 ? n : 1) * sizeof(T)), memory_(arena_.take(bytes_)) {}
  ScratchArray(const ScratchArray&) = delete;
  ScratchArray& operator=(const ScratchArray&) = delete;
  ~ScratchArray() { arena_.give(memory_, bytes_); }
  T* begin() { return static_cast<T*>(memory_); }
  T& operator[](Count i) { return static_cast<T*>(memory_)[i]; }
  const T& operator[](Count i) const { return static_cast<const T*>(memory_)[i]; }

 private:
  Arena& arena_;
  std::size_t bytes_;
  void* memory_;
};

// Several messages at a time:
//
//   Messages batch(c, 2 * n);
//   for (...) { batch.recv(...); batch.send(...); }
//   co_await batch.all();
//
// Messages without content are left out: sender and receiver know the sizes. After all() it can be filled again.
class Messages {
 public:
  Messages(const Ctx& c, int most) : c_(c), operations_(c, most), most_(most), gate_(*c.run) {}

  bool full(int more = 1) const { return used_ + more > most_; }
  void send(Data what, int to) {
    if (what.count == 0 || what.bytes() == 0) return;
    gate_.send(operations_[used_++].send, *c_.comm, c_.context, what, c_.whole(to));
  }
  void recv(Data what, int from) {
    if (what.count == 0 || what.bytes() == 0) return;
    gate_.recv(operations_[used_++].recv, *c_.comm, c_.context, what, c_.whole(from));
  }
  Wait all() {
    used_ = 0;
    return Wait{&gate_};
  }

 private:
  union Operation {
    p2p::SendOp send;
    p2p::RecvOp recv;
  };
  Ctx c_;
  ScratchArray<Operation> operations_;
  int most_;
  int used_ = 0;
  Gate gate_;  // the first to end: waits for the operations
};

// How many peers an algorithm talks to at a time when it talks to all.
inline constexpr int kBatch = 32;

}  // namespace starling::coll
