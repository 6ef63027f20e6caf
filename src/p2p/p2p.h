// SPDX-License-Identifier: BSD-3-Clause
// Point-to-point as the layers above (collectives, RMA, I/O) use it: sends and receives whose state the caller owns.
// The MPI_* functions themselves are declared in p2p/entry.gen.h, the protocols explained in doc/p2p.md.
//
// Thread-safety: everything is called with the worker lock held.
#pragma once

#include <cstdint>

#include "base/types.h"
#include "datatype/datatype.h"
#include "object/comm.h"
#include "object/status.h"
#include "transport/transport.h"

namespace starling {
class Worker;

namespace p2p {

enum class Mode : std::uint8_t { kStandard, kSynchronous, kReady, kBuffered };

// State of one send or receive, owned by the caller (on a stack, in a Request, in a coroutine frame); it must stay where it
// is until `done`. When it completes, `on_done` is called from progress if set.
struct Operation {
  bool done = false;
  Status status;  // of a receive; error: kSuccess or the class (kErrTruncate ...)
  void (*on_done)(Operation&) = nullptr;
  void* user = nullptr;  // for on_done
};

// Private parts of a send that could not be finished at once (p2p/protocol.cc).
struct SendOp : Operation {
  Endpoint* endpoint = nullptr;
  PackSource source{};
  AmHeader header{};
  SendOp* next = nullptr;          // in the list the operation is in: pending messages of an endpoint, streams, shared copies
  SendOp* waiting_next = nullptr;  // in the list of those that wait for an answer
  SendOp* waiting_previous = nullptr;
  SharedCopy* copy = nullptr;  // long message that both sides copy
  std::uint32_t copy_id = kNoCopy;
  bool fetched = false;      // the receiver copies at once, matched or not
  Count moved = 0;           // bytes of kData fragments that have been sent
  Count wanted = 0;          // bytes that the receiver takes
  std::uint64_t remote = 0;  // the receiver's RecvOp while fragments are sent
};

// Private parts of a posted receive (p2p/matcher.cc, receive.cc).
struct RecvOp : Operation {
  Worker* worker = nullptr;
  void* buffer = nullptr;
  Count count = 0;
  const Datatype* type = nullptr;
  Context context = 0;
  int source = kAnySource;  // rank or kAnySource
  int tag = kAnyTag;
  RecvOp* next = nullptr;   // in the list the operation is in: bin of the matcher, running rendezvous
  std::uint64_t order = 0;  // posting order, to choose between a bin and the wildcard list
  // While a rendezvous runs:
  Endpoint* endpoint = nullptr;
  SharedCopy* copy = nullptr;
  std::uint64_t remote = 0;   // the sender's SendOp
  std::uint64_t address = 0;  // of the data in the sender
  bool proven = false;        // it can be read
  Count moved = 0;            // bytes that have arrived
  Count wanted = 0;           // bytes to be taken
};

// Makes the worker able to send and receive: to be called once, before its first transport is added.
void attach(Worker& worker);
// Returns when no message of any worker of this process is under way any more: what was sent has left, what was promised is
// delivered. The buffer of MPI_Buffer_attach is detached. Once, when it has waited for finalize_patience seconds, it prints
// what nobody receives.
void drain(Worker& home);
// The worker of the process: the first one that was attached and still lives; nullptr if there is none. For what belongs to no
// communicator (generalized requests, the buffer of MPI_Buffer_attach).
Worker* process_worker();

// Starts a send. `context` is comm.context for users' messages, comm.context | 1 for collectives. rank may be kProcNull.
// On return op.done may already be true (always so for a short message with room); then on_done is NOT called.
// The datatype must stay alive until done. Never blocks, never throws for reasons other than memory.
void start_send(SendOp& op, Comm& comm, Context context, const void* buffer, Count count, const Datatype& type, int rank,
                int tag, Mode mode = Mode::kStandard);
void start_recv(RecvOp& op, Comm& comm, Context context, void* buffer, Count count, const Datatype& type, int rank, int tag);

// The queues of the matchers of a process as they are now, which holds home; of one communicator, or with nullptr of all.
struct Queues {
  std::size_t posted, unexpected;
};
Queues queues(const Worker& home, const Comm* comm);
std::size_t unexpected_bytes(const Worker& home);  // that wait in memory of the library
// The most unexpected messages at a time since the last call.
std::size_t take_most_unexpected(Worker& home);

// Takes a receive back if it is not matched yet; returns whether it did (then done with status.cancelled).
bool cancel_recv(RecvOp& op);

}  // namespace p2p
}  // namespace starling
