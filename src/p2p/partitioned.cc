// SPDX-License-Identifier: BSD-3-Clause
// Partitioned communication (MPI 5.0 chapter 4): one persistent message whose parts become ready one by one.
//
// Each partition of the sender is a message of point-to-point, sent by MPI_Pready, with its number as the tag and under a
// context that belongs to this pair of requests alone: a channel. MPI_Psend_init makes the channel and offers it by a hidden
// message in the communicator, which MPI_Precv_init receives; so requests are paired in the order of the init calls, as the
// standard wants it, and only with each other. Rounds need no numbers: messages of one tag do not overtake each other. The
// receiver posts a receive for each message of the sender, whatever its own partitions are, and MPI_Parrived looks at those
// that overlap the partition.
//
// Thread-safety: worker lock, which the entry takes; so threads may mark partitions of one request at the same time.
#include <algorithm>
#include <memory>
#include <vector>

#include "base/error.h"
#include "p2p/entry.gen.h"
#include "p2p/request.h"
#include "p2p/state.h"

namespace starling::p2p {

namespace {

// Contexts (object/comm.h): offers have bit 62 and the communicator's own; channels bits 62 and 63, and a number that
// no other has or had, in other jobs neither.
constexpr Context kOfferBit = Context{1} << 62;
constexpr Context kChannelBits = Context{3} << 62;

const Datatype& byte_type() { return *predefined_datatype(kCodeByte); }

// The hidden message, the same in both processes.
struct Offer {
  Context channel;
  std::int64_t bytes;  // of a partition
  std::int32_t partitions;
  std::int32_t unused;
};
static_assert(sizeof(Offer) == 24);

// The arguments of the init call, and what both directions share.
struct PartitionedRequest : Request {
  Datatype* type = nullptr;  // retained
  std::byte* buffer = nullptr;
  Count count = 0;  // elements of a partition
  int partitions = 0;
  int rank = kProcNull;
  int tag = 0;

  Count partition_bytes() const { return count * type->size; }
  // Of an element. By integer: the buffer may be MPI_BOTTOM.
  std::byte* address(Count element) const {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(buffer) +
                                        static_cast<std::uintptr_t>(element * type->extent));
  }
};

// What may outlive the request, because the offer is under way when MPI_Request_free ends it: then `request` is nullptr and the
// offer's completion deletes it.
struct Outgoing {
  SendOp offering;
  Offer offer{};
  PartitionedRequest* request = nullptr;
  std::vector<SendOp> messages;  // one a partition
  std::vector<bool> ready;       // of this round
  int unfinished = 0;            // messages of this round that are not ready or not sent
};

struct Incoming {
  RecvOp offering;
  Offer offer{};
  PartitionedRequest* request = nullptr;
  std::vector<RecvOp> messages;          // one for each partition of the sender; none before the offer has come
  std::unique_ptr<std::byte[]> staging;  // if partitions of the sender end inside elements of the receiver
  int unfinished = 0;                    // messages of this round that have not come
};

struct PartitionedSend : PartitionedRequest {
  Outgoing* out = nullptr;
};
struct PartitionedRecv : PartitionedRequest {
  Incoming* in = nullptr;
};

template <class Side>
void let_go(Side* side) {
  if (!side) return;
  if (side->offering.done) {
    delete side;
  } else {
    side->request = nullptr;
  }
}

// ---- Sending

void on_sent(Operation& op) {
  auto& out = *static_cast<Outgoing*>(op.user);
  if (--out.unfinished == 0) complete(*out.request);
}

void on_offer_sent(Operation& op) {
  auto* out = static_cast<Outgoing*>(op.user);
  if (!out->request) delete out;
}

void start_sending(Request& r) {
  auto& request = static_cast<PartitionedSend&>(r);
  if (!request.out) return complete(request);
  Outgoing& out = *request.out;
  out.unfinished = request.partitions;
  std::fill(out.ready.begin(), out.ready.end(), false);
  if (out.unfinished == 0) complete(request);
}

void destroy_sending(Request& r) {
  auto& request = static_cast<PartitionedSend&>(r);
  let_go(request.out);
  release(request.type);
  recycle(request);
}

constexpr RequestOps kSendOps{"MPI_Psend_init", &start_sending, nullptr, nullptr, &destroy_sending};

void send_partition(PartitionedSend& request, int partition) {
  Outgoing& out = *request.out;
  SendOp& op = out.messages[static_cast<std::size_t>(partition)];
  op.user = &out;
  op.on_done = &on_sent;
  start_send(op, *request.comm, out.offer.channel, request.address(partition * request.count), request.count, *request.type,
             request.rank, partition);
  if (op.done) on_sent(op);
}

PartitionedSend& active_send(Request& request) {
  if (request.ops != &kSendOps) fail(kErrRequest, "the request is not that of a partitioned send");
  if (!request.active) fail(kErrRequest, "the partitioned send is not started");
  return static_cast<PartitionedSend&>(request);
}

void check_partition(const PartitionedRequest& request, int partition) {
  if (partition < 0 || partition >= request.partitions)
    fail(kErrArg, "partition %d is not one of the request's %d", partition, request.partitions);
}

// Marks partition(0) to partition(n - 1), all or, if one may not be marked, none; then sends them.
template <class Partition>
void mark_ready(PartitionedSend& request, int n, Partition&& partition) {
  for (int i = 0; i < n; ++i) check_partition(request, partition(i));
  if (!request.out) return;  // to MPI_PROC_NULL
  std::vector<bool>& ready = request.out->ready;
  for (int i = 0; i < n; ++i) {
    const auto now = static_cast<std::size_t>(partition(i));
    if (!ready[now]) {
      ready[now] = true;
      continue;
    }
    while (--i >= 0) ready[static_cast<std::size_t>(partition(i))] = false;
    fail(kErrArg, "partition %zu has been marked ready already", now);
  }
  for (int i = 0; i < n; ++i) send_partition(request, partition(i));
}

// ---- Receiving

constexpr const char* kTruncated = "the partitions of the sender hold more than those of the receiver";
constexpr const char* kUnreachable = "the sender's or the receiver's buffer is not valid memory";

// Notes that a message has come, and completes the request with the last.
void received(Incoming& in, RecvOp& op) {
  PartitionedRequest& request = *in.request;
  const Offer& offer = in.offer;
  if (in.staging && op.status.bytes > 0) {
    const Count offset = (&op - in.messages.data()) * offer.bytes;
    datatype::unpack(request.buffer, request.partitions * request.count, *request.type, offset, in.staging.get() + offset,
                     op.status.bytes);
  }
  request.status.bytes += op.status.bytes;
  if (op.status.error != kSuccess && request.status.error == kSuccess) {
    request.status.error = op.status.error;
    request.error_text = op.status.error == kErrTruncate ? kTruncated : kUnreachable;
  }
  if (--in.unfinished == 0) complete(request);
}

void on_received(Operation& op) { received(*static_cast<Incoming*>(op.user), static_cast<RecvOp&>(op)); }

// Posts the receives of a round. The request may be complete afterwards, and gone if it was freed.
void post(Incoming& in) {
  PartitionedRequest& request = *in.request;
  const Offer& offer = in.offer;
  const Count room = request.partitions * request.partition_bytes();
  in.unfinished = offer.partitions + 1;  // one for this function
  for (int m = 0; m < offer.partitions; ++m) {
    RecvOp& op = in.messages[static_cast<std::size_t>(m)];
    const Count offset = m * offer.bytes;
    const Count bytes = std::clamp<Count>(room - offset, 0, offer.bytes);
    op.user = &in;
    op.on_done = &on_received;
    if (in.staging) {
      start_recv(op, *request.comm, offer.channel, in.staging.get() + offset, bytes, byte_type(), request.rank, m);
    } else {
      const Count size = std::max<Count>(request.type->size, 1);
      start_recv(op, *request.comm, offer.channel, request.address(offset / size), bytes / size, *request.type, request.rank,
                 m);
    }
    if (op.done) received(in, op);
  }
  if (--in.unfinished == 0) complete(request);
}

// The sender is known: now, or already when the round starts.
void take_offer(Incoming& in) {
  PartitionedRequest& request = *in.request;
  in.messages = std::vector<RecvOp>(static_cast<std::size_t>(in.offer.partitions));
  const bool whole = request.type->size == 0 || in.offer.bytes % request.type->size == 0;
  if (whole) return;
  const Count room = std::max(request.partitions * request.partition_bytes(), in.offer.partitions * in.offer.bytes);
  in.staging = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(room));
}

void on_offer(Operation& op) {
  auto* in = static_cast<Incoming*>(op.user);
  if (!in->request) {
    delete in;
    return;
  }
  take_offer(*in);
  if (in->request->active) post(*in);
}

void start_receiving(Request& r) {
  auto& request = static_cast<PartitionedRecv&>(r);
  if (!request.in) {
    request.status = Status{kProcNull, kAnyTag, kSuccess, false, 0};
    return complete(request);
  }
  request.status = Status{request.rank, request.tag, kSuccess, false, 0};
  request.error_text = nullptr;
  if (request.in->offering.done) post(*request.in);
}

void destroy_receiving(Request& r) {
  auto& request = static_cast<PartitionedRecv&>(r);
  let_go(request.in);
  release(request.type);
  recycle(request);
}

constexpr RequestOps kRecvOps{"MPI_Precv_init", &start_receiving, nullptr, nullptr, &destroy_receiving};

// Whether all messages have come that a partition of the receiver overlaps.
bool has_arrived(const PartitionedRecv& request, int partition) {
  if (request.complete) return true;
  const Incoming& in = *request.in;
  if (!in.offering.done) return false;
  Count bytes = request.partition_bytes(), piece = in.offer.bytes;
  if (bytes == 0 || piece == 0) bytes = in.offer.partitions, piece = request.partitions;  // shares, as if there were data
  const Count first = partition * bytes / piece;
  const Count end = std::min<Count>(((partition + 1) * bytes + piece - 1) / piece, in.offer.partitions);
  for (Count m = first; m < end; ++m)
    if (!in.messages[static_cast<std::size_t>(m)].done) return false;
  return true;
}

template <class R>
R& make(const RequestOps& ops, const void* buf, int partitions, Count count, Datatype& type, int rank, int tag, Comm& comm) {
  R& r = *make_request<R>(ops, *comm.worker, &comm);
  r.type = retain(&type);
  r.buffer = static_cast<std::byte*>(const_cast<void*>(buf));
  r.count = count;
  r.partitions = partitions;
  r.rank = rank;
  r.tag = tag;
  r.persistent = true;
  r.active = false;
  return r;
}

}  // namespace

void psend_init(const void* buf, int partitions, Count count, Datatype& datatype, int dest, int tag, Comm& comm, Info*,
                Request*& request) {
  auto& r = make<PartitionedSend>(kSendOps, buf, partitions, count, datatype, dest, tag, comm);
  request = &r;
  if (dest == kProcNull) return;
  auto* out = r.out = new Outgoing;
  out->request = &r;
  out->messages = std::vector<SendOp>(static_cast<std::size_t>(partitions));
  out->ready.resize(static_cast<std::size_t>(partitions));
  out->offer = {kChannelBits | object::next_context(), r.partition_bytes(), partitions, 0};
  out->offering.user = out;
  out->offering.on_done = &on_offer_sent;
  start_send(out->offering, comm, comm.context | kOfferBit, &out->offer, sizeof out->offer, byte_type(), dest, tag);
}

void precv_init(void* buf, int partitions, Count count, Datatype& datatype, int source, int tag, Comm& comm, Info*,
                Request*& request) {
  auto& r = make<PartitionedRecv>(kRecvOps, buf, partitions, count, datatype, source, tag, comm);
  request = &r;
  if (source == kProcNull) return;
  auto* in = r.in = new Incoming;
  in->request = &r;
  in->offering.user = in;
  in->offering.on_done = &on_offer;
  start_recv(in->offering, comm, comm.context | kOfferBit, &in->offer, sizeof in->offer, byte_type(), source, tag);
  if (in->offering.done) take_offer(*in);
}

void pready(int partition, Request& request) {
  mark_ready(active_send(request), 1, [&](int) { return partition; });
}

void pready_range(int partition_low, int partition_high, Request& request) {
  PartitionedSend& r = active_send(request);
  if (partition_low > partition_high)
    fail(kErrArg, "the range of partitions ends at %d, before its begin %d", partition_high, partition_low);
  check_partition(r, partition_high);
  mark_ready(r, partition_high - partition_low + 1, [&](int i) { return partition_low + i; });
}

void pready_list(int length, const int* array_of_partitions, Request& request) {
  mark_ready(active_send(request), length, [&](int i) { return array_of_partitions[i]; });
}

void parrived(Request& request, int partition, bool& flag) {
  if (request.ops != &kRecvOps) fail(kErrRequest, "the request is not that of a partitioned receive");
  auto& r = static_cast<PartitionedRecv&>(request);
  check_partition(r, partition);
  flag = !r.active || has_arrived(r, partition);
  if (flag) return;
  r.worker->look();
  flag = has_arrived(r, partition);
}

}  // namespace starling::p2p
