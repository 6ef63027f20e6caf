// SPDX-License-Identifier: BSD-3-Clause
// How processes that create a communicator together talk to each other: a few small messages, on a context of their own (bit
// 62), so that they never meet messages of users or collectives. The tag is the parent's creation_sequence, so that several
// creations from one parent may be under way at a time (MPI_Comm_idup). Two operations of one creation may share the tag:
// messages between two processes do not overtake each other.
//
// Called with the worker lock held. Functions named like MPI's block, making progress; they throw Error(kErrOther) when a
// message does not arrive.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "comm/comm.h"
#include "p2p/p2p.h"

namespace starling::comm {

// The tag of one collective creation from `parent`; every member calls it once per creation, before anything can fail.
int creation_tag(Comm& parent);

// A context for the members of a communicator to be, made of what they all know (of the parent, tags ...) before they have
// exchanged a message. A hash with bit 63 set: two creations under way at the same time, between the same processes, differ in
// `seed`.
Context provisional_context(std::initializer_list<std::uint64_t> seed);
std::uint64_t hash_of(std::string_view text);
std::uint64_t hash_of(const Worker& worker, const Group& group);  // the same in all jobs

// Which of n ranks leads a creation over `over`. The duty goes round: broadcasts alone wait for nobody, and with a leader that
// is always the same one, it could run ahead of the others without limit and fill their memory with messages that they have not
// asked for yet.
int leader_of(const Comm& over, int tag, int n);

// The rank names a process of the remote group if `over` is an intercommunicator.
void send(Comm& over, int tag, const void* data, std::size_t bytes, int rank);
void receive(Comm& over, int tag, void* data, std::size_t bytes, int rank);
void exchange(Comm& over, int tag, const void* out, std::size_t out_bytes, void* in, std::size_t in_bytes, int rank);

// exchange() without blocking: start, then step() until it returns true. Must stay where it is meanwhile, like the buffers.
class Exchange {
 public:
  void start(Comm& over, int tag, const void* out, std::size_t out_bytes, void* in, std::size_t in_bytes, int rank);
  bool step();

 private:
  p2p::RecvOp receive_;
  p2p::SendOp send_;
};

// From `root` to all of an intracommunicator, along a binomial tree.
void broadcast(Comm& over, int tag, void* data, std::size_t bytes, int root);

// The same without blocking: start, then step() until it returns true. Must stay where it is meanwhile, like `data`.
class Broadcast {
 public:
  void start(Comm& over, int tag, void* data, std::size_t bytes, int root);
  bool step();

 private:
  void forward();

  Comm* over_ = nullptr;
  int tag_ = 0;
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
  int root_ = 0;
  bool forwarded_ = false;
  std::size_t sent_ = 0;
  p2p::RecvOp receive_;
  std::vector<p2p::SendOp> sends_;
};

// records[rank] of every member of an intracommunicator, known to all afterwards. Bruck's algorithm: ceil(log2 size) steps
// (Bruck, Ho, Kipnis, Upfal, Weathersby, IEEE TPDS 8(11), 1997).
void allgather(Comm& over, int tag, void* records, std::size_t record_bytes);

}  // namespace starling::comm
