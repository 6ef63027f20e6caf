// SPDX-License-Identifier: BSD-3-Clause
// Buffered mode (MPI 5.0 section 3.6): the buffer that a user attaches to the process, a communicator or a session.
//
// A message lies in the user's memory behind a Record until it has left; records are linked in order of address, and a new one
// takes the first gap that fits. A record and its alignment cost at most 62 bytes, below the MPI_BSEND_OVERHEAD of both ABIs
// (96 and 512). With MPI_BUFFER_AUTOMATIC each record is allocated for itself.
//
// Thread-safety: a buffer is attached and detached by home; messages come and go with any worker, so the records have a lock of
// their own.
#pragma once

#include <cstdint>
#include <vector>

#include "base/spinlock.h"
#include "base/types.h"

namespace starling {

class Worker;
struct Comm;
struct Datatype;
struct Request;

struct BsendBuffer {
  struct Record;

  BsendBuffer(void* memory, Count bytes);  // kBufferAutomatic: any number of messages

  // Memory for a message. Throws Error(kErrBuffer) if there is no gap.
  Record* reserve(Count bytes);
  void release(Record* record);
  bool empty();
  // Number of the oldest record; without one, of the next.
  std::uint64_t oldest();

  void* user_memory;  // as attached
  Count user_bytes;
  Record* first = nullptr;
  Record* last = nullptr;
  std::uint64_t issued = 0;  // number of the youngest record
  Spinlock lock;             // for the records

  // MPI_*_iflush_buffer: complete when all records up to a number have gone. Home looks after them.
  struct Flush {
    std::uint64_t until;
    Request* request;
  };
  std::vector<Flush> flushes;
};

namespace p2p {

// Sends in buffered mode: on return the message is in the peer's hands or in the attached buffer. rank may be kProcNull.
void send_buffered(const void* buffer, Count count, const Datatype& type, int rank, int tag, Comm& comm);

}  // namespace p2p
}  // namespace starling
