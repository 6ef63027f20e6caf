// SPDX-License-Identifier: BSD-3-Clause
// MPI_Sendrecv, MPI_Sendrecv_replace and their non-blocking forms (MPI 5.0 section 3.10).
#include <memory>

#include "base/error.h"
#include "p2p/entry.gen.h"
#include "p2p/request.h"
#include "p2p/state.h"

namespace starling::p2p {

namespace {

// The outgoing data of a replacing exchange, packed; short messages need no allocation.
class Packed {
 public:
  Packed(const void* buffer, Count count, const Datatype& type) : bytes_(count * type.size) {
    if (bytes_ > static_cast<Count>(sizeof here_))
      heap_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(bytes_));
    datatype::pack(buffer, count, type, 0, data(), bytes_);
  }
  std::byte* data() { return heap_ ? heap_.get() : here_; }
  Count bytes() const { return bytes_; }

 private:
  Count bytes_;
  std::unique_ptr<std::byte[]> heap_;
  std::byte here_[512];
};

Datatype& byte_type() {
  static Datatype* const type = predefined_datatype(kCodeByte);
  return *type;
}

// Two operations, one request. The request's status is that of the receive.
struct Pair {
  SendOp send;
  RecvOp recv;
  std::unique_ptr<Packed> packed;
};

struct PairRequest : Request {
  std::unique_ptr<Pair> pair;
  Datatype* send_type = nullptr;  // retained
  Datatype* recv_type = nullptr;
};

void settle(PairRequest& request) {
  if (request.complete || !request.pair->send.done || !request.pair->recv.done) return;
  request.status = request.pair->recv.status;
  if (request.status.error == kErrTruncate) request.error_text = "the message is longer than the receive buffer";
  complete(request);
}

void on_done(Operation& op) { settle(*static_cast<PairRequest*>(op.user)); }

void destroy_pair(Request& r) {
  auto& request = static_cast<PairRequest&>(r);
  release(request.send_type);
  release(request.recv_type);
  recycle(request);
}

constexpr RequestOps kPairOps{"MPI_Isendrecv", nullptr, nullptr, nullptr, &destroy_pair};

PairRequest* make_pair_request(Datatype& send_type, Datatype& recv_type, Comm& comm) {
  auto* r = make_request<PairRequest>(kPairOps, *comm.message_worker, &comm);
  r->pair = std::make_unique<Pair>();
  r->send_type = retain(&send_type);
  r->recv_type = retain(&recv_type);
  for (Operation* op : {static_cast<Operation*>(&r->pair->send), static_cast<Operation*>(&r->pair->recv)}) {
    op->user = r;
    op->on_done = &on_done;
  }
  return r;
}

}  // namespace

void sendrecv(const void* sendbuf, Count sendcount, Datatype& sendtype, int dest, int sendtag, void* recvbuf, Count recvcount,
              Datatype& recvtype, int source, int recvtag, Comm& comm, Status& status) {
  RecvOp recv_op;
  SendOp send_op;
  start_recv(recv_op, comm, comm.context, recvbuf, recvcount, recvtype, source, recvtag);
  start_send(send_op, comm, comm.context, sendbuf, sendcount, sendtype, dest, sendtag);
  if (!recv_op.done || !send_op.done) comm.message_worker->wait([&] { return recv_op.done && send_op.done; });
  status = recv_op.status;
  if (status.error != kSuccess)
    fail(status.error, "the message is longer than the receive buffer (from rank %d with tag %d)", status.source, status.tag);
}

void sendrecv_replace(void* buf, Count count, Datatype& datatype, int dest, int sendtag, int source, int recvtag, Comm& comm,
                      Status& status) {
  Packed packed(buf, count, datatype);
  sendrecv(packed.data(), packed.bytes(), byte_type(), dest, sendtag, buf, count, datatype, source, recvtag, comm, status);
}

void isendrecv(const void* sendbuf, Count sendcount, Datatype& sendtype, int dest, int sendtag, void* recvbuf, Count recvcount,
               Datatype& recvtype, int source, int recvtag, Comm& comm, Request*& request) {
  PairRequest* r = make_pair_request(sendtype, recvtype, comm);
  start_recv(r->pair->recv, comm, comm.context, recvbuf, recvcount, recvtype, source, recvtag);
  start_send(r->pair->send, comm, comm.context, sendbuf, sendcount, sendtype, dest, sendtag);
  settle(*r);
  request = r;
}

void isendrecv_replace(void* buf, Count count, Datatype& datatype, int dest, int sendtag, int source, int recvtag, Comm& comm,
                       Request*& request) {
  PairRequest* r = make_pair_request(byte_type(), datatype, comm);
  r->pair->packed = std::make_unique<Packed>(buf, count, datatype);
  Packed& packed = *r->pair->packed;
  start_recv(r->pair->recv, comm, comm.context, buf, count, datatype, source, recvtag);
  start_send(r->pair->send, comm, comm.context, packed.data(), packed.bytes(), byte_type(), dest, sendtag);
  settle(*r);
  request = r;
}

}  // namespace starling::p2p
