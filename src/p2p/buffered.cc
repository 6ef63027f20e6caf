// SPDX-License-Identifier: BSD-3-Clause
#include "p2p/buffered.h"

#include <algorithm>
#include <new>

#include "base/error.h"
#include "object/session.h"
#include "p2p/entry.gen.h"
#include "p2p/request.h"
#include "p2p/state.h"

namespace starling {

namespace {

constexpr std::uintptr_t kAlign = 16;
std::uintptr_t round_up(std::uintptr_t n) { return (n + kAlign - 1) / kAlign * kAlign; }

}  // namespace

struct BsendBuffer::Record {
  Record* next;
  Record* previous;
  std::uint64_t number;
  std::uintptr_t end;  // address behind it
  std::byte* payload() { return reinterpret_cast<std::byte*>(this + 1); }
};
static_assert(sizeof(BsendBuffer::Record) + 2 * (kAlign - 1) <= 96, "MPI_BSEND_OVERHEAD of the MPICH ABI");

BsendBuffer::BsendBuffer(void* memory, Count bytes) : user_memory(memory), user_bytes(bytes) {}

BsendBuffer::Record* BsendBuffer::reserve(Count bytes) {
  const SpinGuard guard(lock);
  const std::uintptr_t need = round_up(sizeof(Record) + static_cast<std::uintptr_t>(bytes));
  Record* before = last;
  void* place = nullptr;
  if (user_memory == kBufferAutomatic) {
    place = operator new(need);
  } else {
    const std::uintptr_t begin = round_up(reinterpret_cast<std::uintptr_t>(user_memory));
    const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(user_memory) + static_cast<std::uintptr_t>(user_bytes);
    const auto fits = [need](std::uintptr_t from, std::uintptr_t to) { return to >= from && to - from >= need; };
    std::uintptr_t at = last ? last->end : begin;
    if (!fits(at, end)) {  // behind the youngest there is no room: look for a gap from the start
      before = nullptr;
      at = begin;
      Record* behind = first;
      for (; behind && !fits(at, reinterpret_cast<std::uintptr_t>(behind)); behind = behind->next) {
        before = behind;
        at = behind->end;
      }
      if (!behind)
        fail(kErrBuffer,
             "a message of %lld bytes does not fit into the attached buffer of %lld bytes, with what is still in it",
             static_cast<long long>(bytes), static_cast<long long>(user_bytes));
    }
    place = reinterpret_cast<void*>(at);
  }
  auto* record =
      new (place) Record{before ? before->next : first, before, ++issued, reinterpret_cast<std::uintptr_t>(place) + need};
  (before ? before->next : first) = record;
  (record->next ? record->next->previous : last) = record;
  return record;
}

void BsendBuffer::release(Record* record) {
  const SpinGuard guard(lock);
  (record->previous ? record->previous->next : first) = record->next;
  (record->next ? record->next->previous : last) = record->previous;
  if (user_memory == kBufferAutomatic) operator delete(record);
}

// Who finds it empty may free it: release() has then had its last access.
bool BsendBuffer::empty() {
  const SpinGuard guard(lock);
  return !first;
}

std::uint64_t BsendBuffer::oldest() {
  const SpinGuard guard(lock);
  std::uint64_t number = issued + 1;
  for (Record* record = first; record; record = record->next) number = std::min(number, record->number);
  return number;
}

namespace p2p {

namespace {

bool poll_flushes(void* self) {
  auto& buffer = *static_cast<BsendBuffer*>(self);
  const std::uint64_t oldest = buffer.oldest();
  const std::size_t completed = std::erase_if(buffer.flushes, [oldest](const BsendBuffer::Flush& flush) {
    if (flush.until >= oldest) return false;
    complete(*flush.request);
    return true;
  });
  if (buffer.flushes.empty()) process_worker()->remove_poller({&poll_flushes, self});
  return completed > 0;
}

// An empty buffer has nothing to flush any more.
void delete_empty(BsendBuffer* buffer) {
  if (!buffer->flushes.empty()) poll_flushes(buffer);
  delete buffer;
}

// Whoever owns the buffer goes away without detaching it (MPI_Comm_free, MPI_Session_finalize): as if it were detached now.
void delete_buffer(BsendBuffer* buffer) {
  if (Worker* worker = process_worker()) {
    if (!buffer->empty()) worker->wait([buffer] { return buffer->empty(); });
    std::erase(worker->p2p().session_buffers, buffer);
  }
  delete_empty(buffer);
}

struct BufferedOp : SendOp {
  BsendBuffer* buffer;
  BsendBuffer::Record* record;
};

void gone(Operation& operation) {
  auto& op = static_cast<BufferedOp&>(operation);
  op.buffer->release(op.record);
  delete &op;
}

Worker& process() {
  if (Worker* worker = process_worker()) return *worker;
  fail(kErrOther, "the library is not initialized");
}

// The innermost buffer that is attached (MPI 5.0, 3.6). Communicators do not know the session that they come from: the buffer
// of a session serves them all, where the process has none.
BsendBuffer& buffer_for(Comm& comm) {
  if (comm.bsend) return *comm.bsend;
  State& state = comm.worker->p2p();
  if (state.bsend) return *state.bsend;
  if (!state.session_buffers.empty()) return *state.session_buffers.back();
  fail(kErrBuffer, "no buffer is attached: call MPI_Buffer_attach first");
}

void attach_to(Held<BsendBuffer>& place, void* memory, Count bytes) {
  if (place) fail(kErrBuffer, "a buffer is attached already");
  if (bytes < 0) fail(kErrArg, "the size %lld is negative", static_cast<long long>(bytes));
  place = Held<BsendBuffer>(new BsendBuffer(memory, bytes), &delete_buffer);
}

void flush(BsendBuffer& buffer, Worker& worker) {
  worker.wait([&buffer] { return buffer.empty(); });
}

void detach_from(Held<BsendBuffer>& place, Worker& worker, void*& memory, Count& bytes) {
  if (!place) fail(kErrBuffer, "no buffer is attached");
  flush(*place, worker);
  memory = place->user_memory;
  bytes = memory == kBufferAutomatic ? 0 : place->user_bytes;
  place.reset();
}

void destroy_flush(Request& request) { recycle(request); }
constexpr RequestOps kFlushOps{"MPI_Buffer_iflush", nullptr, nullptr, nullptr, &destroy_flush};

void start_flush(Held<BsendBuffer>& place, Worker& worker, Comm* comm, Request*& request) {
  Request* r = make_request<Request>(kFlushOps, worker, comm);
  request = r;
  if (place && !place->empty()) {
    if (place->flushes.empty()) worker.add_poller({&poll_flushes, place.get()});
    place->flushes.push_back({place->issued, r});
  } else {
    r->complete = true;
  }
}

}  // namespace

void send_buffered(const void* buffer, Count count, const Datatype& type, int rank, int tag, Comm& comm) {
  if (rank == kProcNull) return;
  BsendBuffer& attached = buffer_for(comm);
  const Count bytes = count * type.size;
  BsendBuffer::Record* record = attached.reserve(bytes);
  if (send_eager<false>(*comm.message_worker, comm.peer(rank), {comm.context, comm.rank, tag, Am::kEager}, buffer, count,
                        type)) {
    attached.release(record);  // there would have been room, as the standard asks, but it is not needed
    return;
  }
  datatype::pack(buffer, count, type, 0, record->payload(), bytes);
  auto* op = new BufferedOp;
  op->buffer = &attached;
  op->record = record;
  op->on_done = &gone;
  start_send(*op, comm, comm.context, record->payload(), bytes, *predefined_datatype(kCodeByte), rank, tag, Mode::kBuffered);
  if (op->done) gone(*op);
}

void buffer_attach(void* buffer, Count size) { attach_to(process().p2p().bsend, buffer, size); }
void buffer_detach(void*& buffer_addr, Count& size) { detach_from(process().p2p().bsend, process(), buffer_addr, size); }
void buffer_flush() {
  if (auto& place = process().p2p().bsend) flush(*place, process());
}
void buffer_iflush(Request*& request) { start_flush(process().p2p().bsend, process(), nullptr, request); }

void comm_attach_buffer(Comm& comm, void* buffer, Count size) { attach_to(comm.bsend, buffer, size); }
void comm_detach_buffer(Comm& comm, void*& buffer_addr, Count& size) {
  detach_from(comm.bsend, *comm.worker, buffer_addr, size);
}
void comm_flush_buffer(Comm& comm) {
  if (comm.bsend) flush(*comm.bsend, *comm.worker);
}
void comm_iflush_buffer(Comm& comm, Request*& request) { start_flush(comm.bsend, *comm.worker, &comm, request); }

void session_attach_buffer(Session& session, void* buffer, Count size) {
  attach_to(session.bsend, buffer, size);
  process().p2p().session_buffers.push_back(session.bsend.get());
}
void session_detach_buffer(Session& session, void*& buffer_addr, Count& size) {
  if (session.bsend) std::erase(process().p2p().session_buffers, session.bsend.get());
  detach_from(session.bsend, process(), buffer_addr, size);
}
void session_flush_buffer(Session& session) {
  if (session.bsend) flush(*session.bsend, process());
}
void session_iflush_buffer(Session& session, Request*& request) { start_flush(session.bsend, process(), nullptr, request); }

}  // namespace p2p
}  // namespace starling
