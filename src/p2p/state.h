// SPDX-License-Identifier: BSD-3-Clause
// What point-to-point keeps for one worker, and the inner interface of the protocols (send.cc, receive.cc). Included by p2p/
// only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/types.h"
#include "memory/heap.h"
#include "p2p/buffered.h"
#include "p2p/matcher.h"
#include "p2p/p2p.h"
#include "p2p/request.h"
#include "progress/worker.h"

namespace starling::p2p {

// Payload of Am::kRts.
struct RtsPayload {
  std::uint64_t send;     // the sender's SendOp, to be named in the answer
  std::uint64_t address;  // of the data in the sender; 0: not contiguous there
  std::int64_t bytes;
  std::uint32_t copy_id;  // kNoCopy: the sender takes no part in the copy
  std::uint32_t buffer;   // 1: the receiver may copy the message before it is matched, as if it were eager
};

// Payload of Am::kCts; the SendOp is in the header's context, as in kFin and kAck. kData has the RecvOp there.
struct CtsPayload {
  std::uint64_t receive;  // the receiver's RecvOp
  std::int64_t wanted;    // bytes that the receiver takes, at most what kRts offered
};

struct State {
  explicit State(Worker& w) : worker(w) {}

  Worker& worker;
  Matcher matcher;
  RequestSlots slots;

  // What is driven by poll(), while any of these is not empty. Singly linked through `next`, oldest first.
  std::vector<Endpoint*> blocked;  // endpoints with pending messages
  SendOp* copies = nullptr;        // sends with an open SharedCopy
  SendOp* streams = nullptr;       // sends of kData fragments
  RecvOp* pulls = nullptr;         // receives that copy with get
  bool polled = false;             // poll() is among the worker's pollers

  Held<BsendBuffer> bsend{nullptr, nullptr};  // of MPI_Buffer_attach
  std::vector<BsendBuffer*> session_buffers;  // of MPI_Session_attach_buffer, not owned
  SendOp* waiting_first = nullptr;            // rendezvous and synchronous sends without an answer, oldest first
  SendOp* waiting_last = nullptr;
  std::unique_ptr<std::byte[]> scratch;  // for long messages into layouts with gaps, of kScratchBytes; made on first use
};

inline constexpr std::size_t kScratchBytes = std::size_t{1} << 16;

// Starts driving the state from progress, if it is not driven yet.
void keep_polling(State& state);
bool poll_sends(State& state);     // send.cc; whether something was done
bool poll_receives(State& state);  // receive.cc
void set_send_handlers(Worker& worker);
void set_receive_handlers(Worker& worker);

// A send that is complete only when the receiver has answered joins and leaves the list of these (drain.cc).
void begin_waiting(State& state, SendOp& op);
void end_waiting(State& state, SendOp& op);

// What this process waits for, told after MVP_HANG_TIMEOUT (hang.cc).
void tell_hang(Worker& worker, std::uint64_t waited_ns, bool first);

// Sends a message of the protocol itself (at most 32 bytes) now or as soon as there is room.
void send_control(State& state, Endpoint& endpoint, Am am, std::uint64_t operation, const void* payload, std::size_t length);

// A message that is there (unexpected until now) goes to this receive. Returns true if the receive is complete; it does not
// call on_done.
bool accept(State& state, RecvOp& op, const AmHeader& header, Peer from, const std::byte* payload, std::size_t length);

// Receives a message that was taken out of the matcher (MPI_Mrecv), and recycles it. Done or not, on_done is not called on
// return.
void start_matched_recv(RecvOp& op, Worker& worker, void* buffer, Count count, const Datatype& type, Unexpected* message);

// Users' messages have the context of the communicator as it is, others a bit more.
inline Worker& worker_of(const Comm& comm, Context context) {
  return context == comm.context ? *comm.message_worker : *comm.worker;
}

inline void finish(Operation& op) {
  op.done = true;
  if (op.on_done) op.on_done(op);  // may end the life of op
}

inline void count_send(Counters& counters, std::uint64_t Counters::*protocol, Count bytes) {
  ++(counters.*protocol);
  counters.sent_bytes += static_cast<std::uint64_t>(bytes);
}
inline void count_receive(Counters& counters, std::uint64_t Counters::*protocol, Count bytes) {
  ++(counters.*protocol);
  counters.received_bytes += static_cast<std::uint64_t>(bytes);
}

// Shorter ones never are; the path of short messages looks no further.
inline constexpr Count kLeastFetched = 1024;

// Whether a message of moderate size is better left where it is: the receiver waits, and has our heap mapped. It copies the
// message as soon as it sees it, matched or not, so the sender waits no longer than that takes.
[[gnu::noinline]] inline bool to_be_fetched(const Endpoint& endpoint, const void* buffer, Count bytes, const Datatype& type) {
  return bytes >= static_cast<Count>(endpoint.fetch_from) && bytes <= static_cast<Count>(endpoint.eager_limit) &&
         type.contiguous && memory::in_heap(datatype::data_of(buffer, type)) && endpoint.peer_waits();
}

// Sends a message of at most eager_limit bytes at once. False if it is longer, or there is no room, or others wait for room;
// with kMayWait also if it had better be fetched.
template <bool kMayWait>
inline bool send_eager(Worker& worker, Peer peer, const AmHeader& header, const void* buffer, Count count,
                       const Datatype& type) {
  Endpoint& endpoint = worker.endpoint(peer);
  const Count bytes = count * type.size;
  if (endpoint.pending) [[unlikely]]
    return false;
  if (kMayWait && bytes >= kLeastFetched) [[unlikely]] {
    if (to_be_fetched(endpoint, buffer, bytes, type)) return false;
  }
  bool sent = false;
  if (type.contiguous && bytes <= static_cast<Count>(endpoint.short_limit)) [[likely]] {
    sent = endpoint.send_short(header, datatype::data_of(buffer, type), static_cast<std::size_t>(bytes));
  } else if (bytes <= static_cast<Count>(endpoint.eager_limit)) {
    sent = endpoint.send_packed(header, PackSource{buffer, count, &type, 0, bytes});
  }
  if (sent) [[likely]]
    count_send(worker.counters, &Counters::eager_sends, bytes);
  return sent;
}

// Singly linked lists of operations.
template <class Op>
void append(Op*& list, Op& op) {
  op.next = nullptr;
  Op** end = &list;
  while (*end) end = &(*end)->next;
  *end = &op;
}
template <class Op>
void unlink(Op*& list, Op& op) {
  for (Op** p = &list; *p; p = &(*p)->next)
    if (*p == &op) {
      *p = op.next;
      return;
    }
}

}  // namespace starling::p2p
