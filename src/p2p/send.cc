// SPDX-License-Identifier: BSD-3-Clause
// The sender's side of the protocols (doc/p2p.md).
#include <algorithm>
#include <cstring>

#include "p2p/state.h"

namespace starling::p2p {

namespace {

// Synchronous messages up to here carry their data; longer ones use the rendezvous, whose answer says the same.
constexpr Count kSyncEagerBytes = 1024;

// A message of the protocol that found no room. Owns itself.
struct ControlOp : SendOp {
  std::byte payload[32];
  std::size_t length;
};

State& state_of(Inbox& inbox) { return static_cast<Worker&>(inbox).p2p(); }
std::uint64_t id_of(const SendOp& op) { return reinterpret_cast<std::uint64_t>(&op); }
SendOp& op_of(const AmHeader& header) { return *reinterpret_cast<SendOp*>(header.context); }
Count bytes_of(const SendOp& op) { return op.source.length; }

bool emit_sync(SendOp& op) {
  std::byte message[sizeof(std::uint64_t) + kSyncEagerBytes];
  const std::uint64_t id = id_of(op);
  std::memcpy(message, &id, sizeof id);
  datatype::pack(op.source.buffer, op.source.count, *op.source.type, 0, message + sizeof id, bytes_of(op));
  return op.endpoint->send_short(op.header, message, sizeof id + static_cast<std::size_t>(bytes_of(op)));
}

bool emit_rts(SendOp& op) {
  RtsPayload rts{id_of(op), 0, bytes_of(op), op.copy_id, op.fetched};
  if (op.source.type->contiguous)
    rts.address = reinterpret_cast<std::uint64_t>(datatype::data_of(op.source.buffer, *op.source.type));
  return op.endpoint->send_short(op.header, &rts, sizeof rts);
}

// Sends the first message of the operation. False: no room.
bool emit(SendOp& op) {
  switch (op.header.am) {
    case Am::kEager:
      return op.endpoint->send_packed(op.header, op.source);
    case Am::kEagerSync:
      return emit_sync(op);
    case Am::kRts:
      return emit_rts(op);
    default: {
      auto& control = static_cast<ControlOp&>(op);
      return op.endpoint->send_short(op.header, control.payload, control.length);
    }
  }
}

// After emit(): what is complete now?
void emitted(SendOp& op) {
  switch (op.header.am) {
    case Am::kEager:
      finish(op);
      break;
    case Am::kEagerSync:
    case Am::kRts:
      break;  // wait for the answer
    default:
      delete static_cast<ControlOp*>(&op);
  }
}

void enqueue(State& state, SendOp& op) {
  Endpoint& endpoint = *op.endpoint;
  op.next = nullptr;
  if (!endpoint.pending) {
    endpoint.pending = &op;
    if (std::find(state.blocked.begin(), state.blocked.end(), &endpoint) == state.blocked.end())
      state.blocked.push_back(&endpoint);
    keep_polling(state);
  } else {
    endpoint.pending_last->next = &op;
  }
  endpoint.pending_last = &op;
}

// Sends what now finds room. True if nothing is left.
bool flush(Endpoint& endpoint, bool& did) {
  while (SendOp* op = endpoint.pending) {
    if (!emit(*op)) return false;
    did = true;
    endpoint.pending = op->next;
    emitted(*op);
  }
  return true;
}

void close_copy(State& state, SendOp& op) {
  if (!op.copy) return;
  unlink(state.copies, op);
  op.endpoint->close_copy(op.copy_id);
  op.copy = nullptr;
}

void complete_waiting(State& state, SendOp& op) {
  end_waiting(state, op);
  finish(op);
}

// One chunk of a shared copy, if there is one to take. True if the copy is complete.
bool advance_copy(State& state, SendOp& op, bool& did) {
  SharedCopy& copy = *op.copy;
  const std::uint64_t target = copy.target.load(std::memory_order_acquire);
  if (target == 0) return false;
  Endpoint& endpoint = *op.endpoint;
  // On a shared core the receiver would only wait until it is its turn again.
  const auto helps = [&] {
    return state.worker.ranks_per_core == 1 && (!endpoint.put_failed || endpoint.map(target, copy.bytes));
  };
  if (!did && copy.next.load(std::memory_order_relaxed) < copy.chunks && helps()) {
    const std::uint32_t chunk = copy.next.fetch_add(1, std::memory_order_relaxed);
    if (chunk < copy.chunks) {
      did = true;
      const std::uint64_t offset = chunk * copy.chunk_bytes;
      const std::uint64_t length = copy.bytes - offset < copy.chunk_bytes ? copy.bytes - offset : copy.chunk_bytes;
      if (endpoint.put(datatype::data_of(op.source.buffer, *op.source.type) + offset, target + offset, length)) {
        copy.finished.fetch_add(1, std::memory_order_acq_rel);
      } else {
        endpoint.put_failed = true;
        copy.returned.store(chunk + 1, std::memory_order_release);
      }
      if (copy.next.load(std::memory_order_relaxed) >= copy.chunks) endpoint.notify();  // the receiver may wait for this chunk
    }
  }
  return copy.finished.load(std::memory_order_acquire) == copy.chunks;
}

// Sends fragments while there is room. True if all have gone.
bool advance_stream(SendOp& op, bool& did) {
  Endpoint& endpoint = *op.endpoint;
  AmHeader header{op.remote, op.header.source, op.header.tag, Am::kData};
  const Count fragment = static_cast<Count>(endpoint.eager_limit);
  while (op.moved < op.wanted) {
    const Count length = op.wanted - op.moved < fragment ? op.wanted - op.moved : fragment;
    if (!endpoint.send_packed(header, PackSource{op.source.buffer, op.source.count, op.source.type, op.moved, length}))
      return false;
    op.moved += length;
    did = true;
  }
  return true;
}

void on_cts(Inbox& inbox, const AmHeader& header, Peer, const std::byte* payload, std::size_t) {
  State& state = state_of(inbox);
  SendOp& op = op_of(header);
  CtsPayload cts;
  std::memcpy(&cts, payload, sizeof cts);
  close_copy(state, op);
  op.remote = cts.receive;
  op.wanted = cts.wanted;
  op.moved = 0;
  append(state.streams, op);
  keep_polling(state);
}

// kFin and kAck: the receiver has what it wants.
void on_complete(Inbox& inbox, const AmHeader& header, Peer, const std::byte*, std::size_t) {
  State& state = state_of(inbox);
  SendOp& op = op_of(header);
  close_copy(state, op);
  complete_waiting(state, op);
}

std::uint64_t Counters::*protocol_of(Am am) {
  return am == Am::kRts         ? &Counters::rendezvous_sends
         : am == Am::kEagerSync ? &Counters::synchronous_sends
                                : &Counters::eager_sends;
}

// Everything but an eager message that finds room.
void start_send_slow(SendOp& op, Worker& worker, Mode mode) {
  State& state = worker.p2p();
  Endpoint& endpoint = *op.endpoint;
  const Count bytes = bytes_of(op);
  if (mode == Mode::kSynchronous && bytes <= kSyncEagerBytes &&
      static_cast<std::size_t>(bytes) + sizeof(std::uint64_t) <= endpoint.short_limit) {
    op.header.am = Am::kEagerSync;
  } else if (mode == Mode::kSynchronous || op.fetched || bytes > static_cast<Count>(endpoint.eager_limit)) {
    op.header.am = Am::kRts;
  }
  count_send(worker.counters, protocol_of(op.header.am), bytes);
  if (op.header.am != Am::kEager) begin_waiting(state, op);
  if (op.header.am == Am::kRts && !op.fetched && op.source.type->contiguous && bytes > 0) {
    op.copy = endpoint.open_copy(op.copy_id);
    if (op.copy) {
      append(state.copies, op);
      keep_polling(state);
    }
  }
  // `next` links both lists: an operation with a shared copy is never put into the queue of those without room.
  if (!endpoint.pending && emit(op)) {
    op.done = op.header.am == Am::kEager;  // there is room now; the others wait for an answer
    return;
  }
  if (op.copy) {
    close_copy(state, op);
    op.copy_id = kNoCopy;
  }
  ++worker.counters.blocked_sends;
  enqueue(state, op);
}

}  // namespace

void send_control(State& state, Endpoint& endpoint, Am am, std::uint64_t operation, const void* payload, std::size_t length) {
  const AmHeader header{operation, 0, 0, am};
  if (!endpoint.pending && endpoint.send_short(header, payload, length)) return;
  auto* op = new ControlOp;
  op->endpoint = &endpoint;
  op->header = header;
  op->length = length;
  if (length != 0) std::memcpy(op->payload, payload, length);
  enqueue(state, *op);
}

void start_send(SendOp& op, Comm& comm, Context context, const void* buffer, Count count, const Datatype& type, int rank,
                int tag, Mode mode) {
  if (rank == kProcNull) {
    op.done = true;
    return;
  }
  Worker& worker = worker_of(comm, context);
  const Peer peer = comm.peer(rank);
  const AmHeader header{context, comm.rank, tag, Am::kEager};
  Endpoint& endpoint = worker.endpoint(peer);
  const bool fetched = mode == Mode::kStandard && to_be_fetched(endpoint, buffer, count * type.size, type);
  if (mode != Mode::kSynchronous && !fetched && send_eager<false>(worker, peer, header, buffer, count, type)) {
    op.done = true;
    return;
  }
  op.done = false;
  op.endpoint = &endpoint;
  op.header = header;
  op.source = PackSource{buffer, count, &type, 0, count * type.size};
  op.copy = nullptr;
  op.copy_id = kNoCopy;
  op.fetched = fetched;
  start_send_slow(op, worker, mode);
}

bool poll_sends(State& state) {
  bool did = false;
  for (std::size_t i = 0; i < state.blocked.size();) {
    if (flush(*state.blocked[i], did)) {
      state.blocked.erase(state.blocked.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  bool copied = false;
  for (SendOp *op = state.copies, *next; op; op = next) {
    next = op->next;
    if (!advance_copy(state, *op, copied)) continue;
    close_copy(state, *op);
    complete_waiting(state, *op);
    did = true;
    break;  // on_done may have changed the list
  }
  for (SendOp *op = state.streams, *next; op; op = next) {
    next = op->next;
    if (!advance_stream(*op, did)) continue;
    unlink(state.streams, *op);
    complete_waiting(state, *op);
    break;
  }
  return did || copied;
}

void set_send_handlers(Worker& worker) {
  worker.set_handler(Am::kCts, &on_cts);
  worker.set_handler(Am::kFin, &on_complete);
  worker.set_handler(Am::kAck, &on_complete);
}

}  // namespace starling::p2p
