// SPDX-License-Identifier: BSD-3-Clause
// MPI_Send and its relatives: blocking, non-blocking and persistent, in the four modes (MPI 5.0 sections 3.2 to 3.9).
#include "p2p/entry.gen.h"
#include "p2p/request.h"
#include "p2p/state.h"

namespace starling::p2p {

namespace {

struct SendRequest : Request {
  SendOp op;
  Datatype* type = nullptr;  // retained
  // Of a persistent request:
  const void* buffer = nullptr;
  Count count = 0;
  int rank = kProcNull;
  int tag = 0;
  Mode mode = Mode::kStandard;
};

void on_sent(Operation& op) { complete(*static_cast<SendRequest*>(op.user)); }

void start(SendRequest& request, const void* buffer, Count count, int rank, int tag, Mode mode) {
  request.op.user = &request;
  request.op.on_done = &on_sent;
  Comm& comm = *request.comm;
  start_send(request.op, comm, comm.context, buffer, count, *request.type, rank, tag, mode);
  request.complete = request.op.done;
}

void start_persistent(Request& r) {
  auto& request = static_cast<SendRequest&>(r);
  if (request.mode == Mode::kBuffered) {
    send_buffered(request.buffer, request.count, *request.type, request.rank, request.tag, *request.comm);
    request.complete = true;
  } else {
    start(request, request.buffer, request.count, request.rank, request.tag, request.mode);
  }
}

void destroy_send(Request& r) {
  auto& request = static_cast<SendRequest&>(r);
  release(request.type);
  recycle(request);
}

// A send cannot be cancelled (MPI 5.0, 3.8.4 lets it complete instead).
constexpr RequestOps kSendOps{"MPI_Isend", nullptr, nullptr, nullptr, &destroy_send};
constexpr RequestOps kPersistentOps{"MPI_Send_init", &start_persistent, nullptr, nullptr, &destroy_send};

// The path of every short message: no request, no allocation, no lock.
[[gnu::always_inline]] inline bool send_now(const void* buffer, Count count, const Datatype& type, int dest, int tag,
                                            Comm& comm) {
  if (dest == kProcNull) [[unlikely]]
    return true;
  return send_eager<true>(*comm.message_worker, comm.peer(dest), {comm.context, comm.rank, tag, Am::kEager}, buffer, count,
                          type);
}

[[gnu::noinline]] void send_and_wait(const void* buffer, Count count, const Datatype& type, int dest, int tag, Comm& comm,
                                     Mode mode) {
  SendOp op;
  start_send(op, comm, comm.context, buffer, count, type, dest, tag, mode);
  if (!op.done) comm.message_worker->wait([&op] { return op.done; });
}

void start_nonblocking(const void* buffer, Count count, Datatype& type, int dest, int tag, Comm& comm, Mode mode,
                       Request*& request) {
  if (mode != Mode::kSynchronous && send_now(buffer, count, type, dest, tag, comm)) [[likely]] {
    request = completed_send();
    return;
  }
  auto* r = make_request<SendRequest>(kSendOps, *comm.message_worker, &comm);
  r->type = retain(&type);
  start(*r, buffer, count, dest, tag, mode);
  request = r;
}

void make_persistent(const void* buffer, Count count, Datatype& type, int dest, int tag, Comm& comm, Mode mode,
                     Request*& request) {
  auto* r = make_request<SendRequest>(kPersistentOps, *comm.message_worker, &comm);
  r->type = retain(&type);
  r->buffer = buffer;
  r->count = count;
  r->rank = dest;
  r->tag = tag;
  r->mode = mode;
  r->persistent = true;
  r->active = false;
  request = r;
}

}  // namespace

void send(const void* buf, Count count, Datatype& datatype, int dest, int tag, Comm& comm) {
  if (!send_now(buf, count, datatype, dest, tag, comm)) send_and_wait(buf, count, datatype, dest, tag, comm, Mode::kStandard);
}
// A ready send is a standard one: it gains nothing from the receive being posted.
void rsend(const void* buf, Count count, Datatype& datatype, int dest, int tag, Comm& comm) {
  send(buf, count, datatype, dest, tag, comm);
}
void ssend(const void* buf, Count count, Datatype& datatype, int dest, int tag, Comm& comm) {
  send_and_wait(buf, count, datatype, dest, tag, comm, Mode::kSynchronous);
}
void bsend(const void* buf, Count count, Datatype& datatype, int dest, int tag, Comm& comm) {
  send_buffered(buf, count, datatype, dest, tag, comm);
}

void isend(const void* buf, Count count, Datatype& datatype, int dest, int tag, Comm& comm, Request*& request) {
  start_nonblocking(buf, count, datatype, dest, tag, comm, Mode::kStandard, request);
}
void irsend(const void* buf, Count count, Datatype& datatype, int dest, int tag, Comm& comm, Request*& request) {
  start_nonblocking(buf, count, datatype, dest, tag, comm, Mode::kReady, request);
}
void issend(const void* buf, Count count, Datatype& datatype, int dest, int tag, Comm& comm, Request*& request) {
  start_nonblocking(buf, count, datatype, dest, tag, comm, Mode::kSynchronous, request);
}
void ibsend(const void* buf, Count count, Datatype& datatype, int dest, int tag, Comm& comm, Request*& request) {
  send_buffered(buf, count, datatype, dest, tag, comm);
  request = completed_send();
}

void send_init(const void* buf, Count count, Datatype& datatype, int dest, int tag, Comm& comm, Request*& request) {
  make_persistent(buf, count, datatype, dest, tag, comm, Mode::kStandard, request);
}
void rsend_init(const void* buf, Count count, Datatype& datatype, int dest, int tag, Comm& comm, Request*& request) {
  make_persistent(buf, count, datatype, dest, tag, comm, Mode::kReady, request);
}
void ssend_init(const void* buf, Count count, Datatype& datatype, int dest, int tag, Comm& comm, Request*& request) {
  make_persistent(buf, count, datatype, dest, tag, comm, Mode::kSynchronous, request);
}
void bsend_init(const void* buf, Count count, Datatype& datatype, int dest, int tag, Comm& comm, Request*& request) {
  make_persistent(buf, count, datatype, dest, tag, comm, Mode::kBuffered, request);
}

}  // namespace starling::p2p
