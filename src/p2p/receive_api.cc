// SPDX-License-Identifier: BSD-3-Clause
// MPI_Recv and its relatives, probes and matched receives (MPI 5.0 sections 3.2 to 3.9).
#include <utility>

#include "base/error.h"
#include "object/pool.h"
#include "p2p/entry.gen.h"
#include "p2p/message.h"
#include "p2p/request.h"
#include "p2p/state.h"

namespace starling {

namespace {

Pool<Message, Kind::kMessage>& message_pool() {
  static constinit Pool<Message, Kind::kMessage> pool;
  return pool;
}

}  // namespace

namespace p2p {

namespace {

struct RecvRequest : Request {
  RecvOp op;
  Datatype* type = nullptr;  // retained
  // Of a persistent request:
  void* buffer = nullptr;
  Count count = 0;
  int rank = kProcNull;
  int tag = 0;
};

constexpr const char* kTruncated = "the message is longer than the receive buffer";
constexpr const char* kUnreachable = "the sender's or the receiver's buffer is not valid memory";

const char* text_of(int error) { return error == kErrTruncate ? kTruncated : error == kErrBuffer ? kUnreachable : nullptr; }

void take_status(RecvRequest& request) {
  request.status = request.op.status;
  request.error_text = text_of(request.status.error);
}

void on_received(Operation& op) {
  auto& request = *static_cast<RecvRequest*>(op.user);
  take_status(request);
  complete(request);
}

// To be called when the operation was started: it may be complete by now.
void started(RecvRequest& request) {
  request.complete = request.op.done;
  if (request.op.done) take_status(request);
}

void start_persistent(Request& r) {
  auto& request = static_cast<RecvRequest&>(r);
  Comm& comm = *request.comm;
  start_recv(request.op, comm, comm.context, request.buffer, request.count, *request.type, request.rank, request.tag);
  started(request);
}

void cancel_receive(Request& r) {
  auto& request = static_cast<RecvRequest&>(r);
  if (request.complete || !cancel_recv(request.op)) return;
  request.status = request.op.status;
  complete(request);
}

void destroy_receive(Request& r) {
  auto& request = static_cast<RecvRequest&>(r);
  release(request.type);
  recycle(request);
}

constexpr RequestOps kRecvOps{"MPI_Irecv", nullptr, &cancel_receive, nullptr, &destroy_receive};
constexpr RequestOps kPersistentOps{"MPI_Recv_init", &start_persistent, &cancel_receive, nullptr, &destroy_receive};

// Without a communicator: of a message that MPI_Improbe found at MPI_PROC_NULL.
RecvRequest* make_receive(const RequestOps& ops, Datatype& type, Worker& worker, Comm* comm) {
  auto* r = make_request<RecvRequest>(ops, worker, comm);
  r->type = retain(&type);
  r->op.user = r;
  r->op.on_done = &on_received;
  return r;
}

// Waits for a receive on the caller's stack, and reports its error.
void finish_blocking(RecvOp& op, Worker& worker, Status& status) {
  if (!op.done) worker.wait([&op] { return op.done; });
  status = op.status;
  if (op.status.error != kSuccess) [[unlikely]]
    fail(op.status.error, "%s (from rank %d with tag %d)", text_of(op.status.error), op.status.source, op.status.tag);
}

const Status kNoProcess{kProcNull, kAnyTag, kSuccess, false, 0};

void describe(const Unexpected& message, Status& status) {
  status = Status{message.header.source, message.header.tag, kSuccess, false, message.bytes};
}

// Looks for a message, makes progress once if there is none yet, and looks again.
Unexpected* look(int source, int tag, Comm& comm) {
  Matcher& matcher = comm.message_worker->p2p().matcher;
  const Pattern pattern{comm.context, source, tag};
  if (Unexpected* message = matcher.find_unexpected(pattern)) return message;
  comm.message_worker->look();
  return matcher.find_unexpected(pattern);
}

Unexpected* await(int source, int tag, Comm& comm) {
  Matcher& matcher = comm.message_worker->p2p().matcher;
  const Pattern pattern{comm.context, source, tag};
  Unexpected* message = nullptr;
  comm.message_worker->wait([&] { return (message = matcher.find_unexpected(pattern)) != nullptr; });
  return message;
}

Message* take_message(Unexpected& content, Comm& comm) {
  comm.message_worker->p2p().matcher.take(content);
  Message* message = message_pool().create();
  message->comm = Ref<Comm>(&comm);
  message->content = &content;
  return message;
}

// Ends the life of a message object; its content and communicator are the caller's.
std::pair<Unexpected*, Ref<Comm>> consume(Message*& message) {
  Message* taken = std::exchange(message, nullptr);
  std::pair<Unexpected*, Ref<Comm>> result{taken->content, std::move(taken->comm)};
  message_pool().destroy(taken);
  return result;
}

}  // namespace

void recv(void* buf, Count count, Datatype& datatype, int source, int tag, Comm& comm, Status& status) {
  RecvOp op;
  start_recv(op, comm, comm.context, buf, count, datatype, source, tag);
  finish_blocking(op, *comm.message_worker, status);
}

void irecv(void* buf, Count count, Datatype& datatype, int source, int tag, Comm& comm, Request*& request) {
  RecvRequest* r = make_receive(kRecvOps, datatype, *comm.message_worker, &comm);
  start_recv(r->op, comm, comm.context, buf, count, datatype, source, tag);
  started(*r);
  request = r;
}

void recv_init(void* buf, Count count, Datatype& datatype, int source, int tag, Comm& comm, Request*& request) {
  RecvRequest* r = make_receive(kPersistentOps, datatype, *comm.message_worker, &comm);
  r->buffer = buf;
  r->count = count;
  r->rank = source;
  r->tag = tag;
  r->persistent = true;
  r->active = false;
  request = r;
}

void iprobe(int source, int tag, Comm& comm, bool& flag, Status& status) {
  flag = true;
  if (source == kProcNull) {
    status = kNoProcess;
  } else if (Unexpected* message = look(source, tag, comm)) {
    describe(*message, status);
  } else {
    flag = false;
  }
}

void probe(int source, int tag, Comm& comm, Status& status) {
  if (source == kProcNull) {
    status = kNoProcess;
  } else {
    describe(*await(source, tag, comm), status);
  }
}

void improbe(int source, int tag, Comm& comm, bool& flag, Message*& message, Status& status) {
  flag = true;
  if (source == kProcNull) {
    message = message_no_proc();
    status = kNoProcess;
  } else if (Unexpected* found = look(source, tag, comm)) {
    describe(*found, status);
    message = take_message(*found, comm);
  } else {
    flag = false;
    message = nullptr;
  }
}

void mprobe(int source, int tag, Comm& comm, Message*& message, Status& status) {
  if (source == kProcNull) {
    message = message_no_proc();
    status = kNoProcess;
    return;
  }
  Unexpected* found = await(source, tag, comm);
  describe(*found, status);
  message = take_message(*found, comm);
}

void mrecv(void* buf, Count count, Datatype& datatype, Message*& message, Status& status) {
  if (message == message_no_proc()) {
    message = nullptr;
    status = kNoProcess;
    return;
  }
  auto [content, comm] = consume(message);
  RecvOp op;
  start_matched_recv(op, *comm->message_worker, buf, count, datatype, content);
  finish_blocking(op, *comm->message_worker, status);
}

void imrecv(void* buf, Count count, Datatype& datatype, Message*& message, Request*& request) {
  if (message == message_no_proc()) {
    message = nullptr;
    RecvRequest* r = make_receive(kRecvOps, datatype, *process_worker(), nullptr);
    r->op.done = true;
    r->op.status = kNoProcess;
    started(*r);
    request = r;
    return;
  }
  auto [content, comm] = consume(message);
  RecvRequest* r = make_receive(kRecvOps, datatype, *comm->message_worker, comm.get());
  start_matched_recv(r->op, *comm->message_worker, buf, count, datatype, content);
  started(*r);
  request = r;
}

Message* find_message(const void* handle) { return message_pool().find(handle); }
Message* message_at(std::uint32_t index) { return message_pool().at(index); }
std::size_t live_messages() { return message_pool().live_count(); }

Message* message_no_proc() {
  static Message* const no_proc = [] {
    static Message message;
    message.kind = Kind::kMessage;
    message.code = kCodeMessageNoProc;
    return &message;
  }();
  return no_proc;
}

}  // namespace p2p
}  // namespace starling
