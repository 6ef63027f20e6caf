// SPDX-License-Identifier: BSD-3-Clause
// The receiver's side of the protocols (doc/p2p.md).
#include <algorithm>
#include <cstring>

#include "base/events.h"
#include "p2p/state.h"

namespace starling::p2p {

namespace {

State& state_of(Inbox& inbox) { return static_cast<Worker&>(inbox).p2p(); }

Count capacity(const RecvOp& op) { return op.count * op.type->size; }

// Fills the status of a receive that has met its message of `bytes` bytes; returns how many bytes of it fit.
Count meet(RecvOp& op, const AmHeader& header, Count bytes) {
  op.status.source = header.source;
  op.status.tag = header.tag;
  op.status.error = kSuccess;
  op.status.cancelled = false;
  op.status.bytes = bytes;
  if (const Count room = capacity(op); bytes > room) [[unlikely]] {
    op.status.error = kErrTruncate;
    op.status.bytes = room;
  }
  return op.status.bytes;
}

// First byte of the data, for a contiguous type. By integer, as datatype::data_of: the buffer may be MPI_BOTTOM.
std::byte* data_of(const RecvOp& op) { return const_cast<std::byte*>(datatype::data_of(op.buffer, *op.type)); }

void store(RecvOp& op, Count offset, const std::byte* data, Count length) {
  if (length == 0) return;
  if (op.type->contiguous) {
    std::memcpy(data_of(op) + offset, data, static_cast<std::size_t>(length));
  } else {
    datatype::unpack(op.buffer, op.count, *op.type, offset, data, length);
  }
}

void accept_eager(RecvOp& op, const AmHeader& header, const std::byte* data, std::size_t length) {
  const Count fits = meet(op, header, static_cast<Count>(length));
  store(op, 0, data, fits);
  count_receive(op.worker->counters, &Counters::eager_receives, fits);
}

// Splits the payload of a kEagerSync message, and tells the sender that it was matched.
void acknowledge(State& state, Peer from, const std::byte* payload) {
  std::uint64_t send;
  std::memcpy(&send, payload, sizeof send);
  send_control(state, state.worker.endpoint(from), Am::kAck, send, nullptr, 0);
}

void request_fragments(State& state, RecvOp& op) {
  ++state.worker.counters.fragment_receives;
  const CtsPayload cts{reinterpret_cast<std::uint64_t>(&op), op.wanted};
  send_control(state, *op.endpoint, Am::kCts, op.remote, &cts, sizeof cts);
}

// The receiver's last access to a shared copy.
void let_go(RecvOp& op) {
  if (!op.copy) return;
  op.copy->busy.store(0, std::memory_order_release);
  op.copy = nullptr;
}

// Size of the chunks of a shared copy: two for a message of moderate size, since each costs a system call.
Count chunk_of(const RecvOp& op) {
  constexpr Count kPage = 4096, kLeast = 4 * kPage;
  const Count half = (op.wanted / 2 + kPage - 1) / kPage * kPage;
  return std::min(std::max(half, kLeast), static_cast<Count>(op.endpoint->copy_chunk));
}

// Lets the sender take part. With `done` chunks already copied.
void publish(RecvOp& op, std::uint32_t done) {
  SharedCopy& copy = *op.copy;
  copy.bytes = static_cast<std::uint64_t>(op.wanted);
  copy.chunk_bytes = static_cast<std::uint64_t>(chunk_of(op));
  copy.chunks = static_cast<std::uint32_t>((copy.bytes + copy.chunk_bytes - 1) / copy.chunk_bytes);
  copy.next.store(done, std::memory_order_relaxed);
  copy.finished.store(done, std::memory_order_relaxed);
  copy.returned.store(0, std::memory_order_relaxed);
  copy.target.store(reinterpret_cast<std::uint64_t>(data_of(op)), std::memory_order_release);
}

// A rendezvous has met its receive. True if there is nothing to transfer.
bool begin_rendezvous(State& state, RecvOp& op, const AmHeader& header, Peer from, const std::byte* payload) {
  RtsPayload rts;
  std::memcpy(&rts, payload, sizeof rts);
  op.wanted = meet(op, header, rts.bytes);
  count_receive(state.worker.counters, &Counters::rendezvous_receives, op.wanted);
  op.moved = 0;
  op.remote = rts.send;
  op.address = rts.address;
  op.endpoint = &state.worker.endpoint(from);
  op.copy = rts.copy_id == kNoCopy ? nullptr : op.endpoint->find_copy(rts.copy_id);
  if (op.wanted == 0) {
    let_go(op);
    send_control(state, *op.endpoint, Am::kFin, op.remote, nullptr, 0);
    return true;
  }
  const std::byte* mapped = op.address == 0 ? nullptr : op.endpoint->map(op.address, static_cast<std::size_t>(op.wanted));
  if (op.copy == nullptr && mapped && rts.buffer) {
    store(op, 0, mapped, op.wanted);
    send_control(state, *op.endpoint, Am::kFin, op.remote, nullptr, 0);
    return true;
  }
  if (op.address == 0 || !(mapped || op.endpoint->direct)) {
    let_go(op);
    request_fragments(state, op);
    return false;
  }
  if (op.copy && !op.type->contiguous) let_go(op);
  op.proven = mapped != nullptr || op.endpoint->direct_proven;
  if (op.copy && op.proven) publish(op, 0);
  append(state.pulls, op);
  keep_polling(state);
  return false;
}

enum class Step { kIdle, kMoved, kComplete, kRefused };

// Copies the next piece of a message that only the receiver copies.
Step pull_alone(State& state, RecvOp& op) {
  const Count piece = op.copy               ? chunk_of(op)
                      : op.type->contiguous ? static_cast<Count>(op.endpoint->copy_chunk)
                                            : static_cast<Count>(kScratchBytes);
  const Count length = std::min(op.wanted - op.moved, piece);
  const std::uint64_t from = op.address + static_cast<std::uint64_t>(op.moved);
  if (op.type->contiguous) {
    if (!op.endpoint->get(data_of(op) + op.moved, from, static_cast<std::size_t>(length))) return Step::kRefused;
  } else {
    if (!state.scratch) state.scratch = std::make_unique_for_overwrite<std::byte[]>(kScratchBytes);
    if (!op.endpoint->get(state.scratch.get(), from, static_cast<std::size_t>(length))) return Step::kRefused;
    datatype::unpack(op.buffer, op.count, *op.type, op.moved, state.scratch.get(), length);
  }
  if (!op.proven) op.proven = op.endpoint->direct_proven = true;
  op.moved += length;
  if (op.copy) {  // the first piece, copied to see whether direct access works at all
    publish(op, 1);
    return Step::kMoved;
  }
  return op.moved == op.wanted ? Step::kComplete : Step::kMoved;
}

// Copies one chunk of a shared copy.
Step pull_shared(RecvOp& op) {
  SharedCopy& copy = *op.copy;
  Step step = Step::kIdle;
  std::uint32_t chunk = copy.chunks;
  if (copy.next.load(std::memory_order_relaxed) < copy.chunks) {
    chunk = copy.next.fetch_add(1, std::memory_order_relaxed);
  } else if (std::uint32_t returned = copy.returned.load(std::memory_order_acquire)) {
    copy.returned.store(0, std::memory_order_relaxed);
    chunk = returned - 1;
  }
  if (chunk < copy.chunks) {
    const std::uint64_t offset = chunk * copy.chunk_bytes;
    const std::uint64_t length = std::min(copy.bytes - offset, copy.chunk_bytes);
    if (!op.endpoint->get(data_of(op) + offset, op.address + offset, length)) op.status.error = kErrBuffer;
    copy.finished.fetch_add(1, std::memory_order_acq_rel);
    step = Step::kMoved;
  }
  return copy.finished.load(std::memory_order_acquire) == copy.chunks ? Step::kComplete : step;
}

Step pull(State& state, RecvOp& op) {
  const bool shared = op.copy && op.copy->target.load(std::memory_order_relaxed) != 0;
  return shared ? pull_shared(op) : pull_alone(state, op);
}

// Acts on what a step has come to.
void settle(State& state, RecvOp& op, Step step) {
  if (step == Step::kComplete) {
    unlink(state.pulls, op);
    if (op.copy) {
      let_go(op);
      op.endpoint->notify();
    } else {
      send_control(state, *op.endpoint, Am::kFin, op.remote, nullptr, 0);
    }
    finish(op);
    return;
  }
  if (step != Step::kRefused) return;
  unlink(state.pulls, op);
  let_go(op);
  if (op.proven) {  // not a question of permission: the memory of the sender is not there
    op.status.error = kErrBuffer;
    send_control(state, *op.endpoint, Am::kFin, op.remote, nullptr, 0);
    finish(op);
  } else {
    op.endpoint->direct = false;
    request_fragments(state, op);
  }
}

void add_unexpected(State& state, const AmHeader& header, Peer from, const std::byte* payload, std::size_t length,
                    Count bytes) {
  ++state.worker.counters.unexpected_messages;
  state.matcher.add_unexpected(header, from, payload, length, bytes);
  if (header.context & 1) return;  // of a collective operation
  state.worker.raise(events::Kind::kUnexpectedMessage, header.source, header.tag, bytes,
                     static_cast<std::int64_t>(header.context));
}

void on_eager(Inbox& inbox, const AmHeader& header, Peer from, const std::byte* payload, std::size_t length) {
  State& state = state_of(inbox);
  if (RecvOp* op = state.matcher.match(header)) [[likely]] {
    accept_eager(*op, header, payload, length);
    finish(*op);
  } else {
    add_unexpected(state, header, from, payload, length, static_cast<Count>(length));
  }
}

void on_eager_sync(Inbox& inbox, const AmHeader& header, Peer from, const std::byte* payload, std::size_t length) {
  State& state = state_of(inbox);
  if (RecvOp* op = state.matcher.match(header)) {
    accept(state, *op, header, from, payload, length);
    finish(*op);
  } else {
    add_unexpected(state, header, from, payload, length, static_cast<Count>(length - sizeof(std::uint64_t)));
  }
}

void on_rts(Inbox& inbox, const AmHeader& header, Peer from, const std::byte* payload, std::size_t length) {
  State& state = state_of(inbox);
  if (RecvOp* op = state.matcher.match(header)) {
    if (begin_rendezvous(state, *op, header, from, payload)) finish(*op);
    return;
  }
  RtsPayload rts;
  std::memcpy(&rts, payload, sizeof rts);
  if (rts.buffer) {
    Endpoint& endpoint = state.worker.endpoint(from);
    const auto bytes = static_cast<std::size_t>(rts.bytes);
    if (const std::byte* data = endpoint.map(rts.address, bytes)) {
      add_unexpected(state, {header.context, header.source, header.tag, Am::kEager}, from, data, bytes, rts.bytes);
      send_control(state, endpoint, Am::kFin, rts.send, nullptr, 0);
      return;
    }
  }
  add_unexpected(state, header, from, payload, length, rts.bytes);
}

void on_data(Inbox&, const AmHeader& header, Peer, const std::byte* payload, std::size_t length) {
  RecvOp& op = *reinterpret_cast<RecvOp*>(header.context);
  store(op, op.moved, payload, static_cast<Count>(length));
  op.moved += static_cast<Count>(length);
  if (op.moved == op.wanted) finish(op);
}

}  // namespace

bool accept(State& state, RecvOp& op, const AmHeader& header, Peer from, const std::byte* payload, std::size_t length) {
  switch (header.am) {
    case Am::kEagerSync:
      acknowledge(state, from, payload);
      accept_eager(op, header, payload + sizeof(std::uint64_t), length - sizeof(std::uint64_t));
      return true;
    case Am::kRts:
      return begin_rendezvous(state, op, header, from, payload);
    default:
      accept_eager(op, header, payload, length);
      return true;
  }
}

namespace {

void prepare(RecvOp& op, Worker& worker, void* buffer, Count count, const Datatype& type) {
  op.done = false;
  op.worker = &worker;
  op.buffer = buffer;
  op.count = count;
  op.type = &type;
}

}  // namespace

void start_recv(RecvOp& op, Comm& comm, Context context, void* buffer, Count count, const Datatype& type, int rank, int tag) {
  if (rank == kProcNull) [[unlikely]] {
    op.status = Status{kProcNull, kAnyTag, kSuccess, false, 0};
    op.done = true;
    return;
  }
  Worker& worker = worker_of(comm, context);
  prepare(op, worker, buffer, count, type);
  op.context = context;
  op.source = rank;
  op.tag = tag;
  Matcher& matcher = worker.p2p().matcher;
  if (Unexpected* message = matcher.find_unexpected({context, rank, tag})) {
    matcher.take(*message);
    start_matched_recv(op, worker, buffer, count, type, message);
  } else {
    matcher.post(op);
  }
}

void start_matched_recv(RecvOp& op, Worker& worker, void* buffer, Count count, const Datatype& type, Unexpected* message) {
  State& state = worker.p2p();
  prepare(op, worker, buffer, count, type);
  op.done = accept(state, op, message->header, message->from, message->payload(), message->length);
  state.matcher.recycle(message);
}

bool cancel_recv(RecvOp& op) {
  if (op.done || !op.worker->p2p().matcher.remove(op)) return false;
  op.status = Status{};
  op.status.cancelled = true;
  op.done = true;
  return true;
}

// One piece of the oldest receive that can go on.
bool poll_receives(State& state) {
  for (RecvOp *op = state.pulls, *next; op; op = next) {
    next = op->next;
    const Step step = pull(state, *op);
    if (step == Step::kIdle) continue;  // the sender still copies the last chunks
    settle(state, *op, step);
    return true;
  }
  return false;
}

void set_receive_handlers(Worker& worker) {
  worker.set_handler(Am::kEager, &on_eager);
  worker.set_handler(Am::kEagerSync, &on_eager_sync);
  worker.set_handler(Am::kRts, &on_rts);
  worker.set_handler(Am::kData, &on_data);
}

}  // namespace starling::p2p
