// SPDX-License-Identifier: BSD-3-Clause
// Comm: a communicator (MPI 5.0 chapter 7), as every layer sees it. How processes make one together is in comm/.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/types.h"
#include "object/attributes.h"
#include "object/errhandler.h"
#include "object/group.h"
#include "object/info.h"
#include "object/object.h"
#include "object/pool.h"

namespace starling {

class Worker;        // progress/worker.h
struct Topology;     // comm/topology.h: Cartesian, graph or distributed graph
struct CollState;    // coll/: plan cache, shared segment; made on the first collective
struct Learned;      // coll/plan.h: which algorithms were found to be the fastest
struct BsendBuffer;  // p2p/buffered.h

// Identifies the messages of one communicator: unique in the universe and never reused. One process makes it from its process
// number and a counter (`object::next_context`), so it costs no agreement beyond telling the members, and nothing can leak.
//   bit 0        clear in a communicator's context; messages of collectives carry context | 1
//   bits 1..38   counter of the process that made it, from a random number on
//   bits 39..61  number of that process in the system
//   bit 62       clear in a communicator's context; set in messages that create communicators (comm/agree.h)
//   bit 63       set in provisional contexts, under which the members of a communicator to be talk to each other (comm/agree.h)
// With bit 0 clear, bit 62 marks partitioned communication (p2p/partitioned.cc): alone in offers, with bit 63 in channels,
// which are made as contexts are. Point-to-point messages carry the context as it is.
using Context = std::uint64_t;

// Contexts of the communicators that exist without being created. MPI_COMM_SELF has the same one everywhere: its messages do
// not leave the process.
inline constexpr Context kWorldContext = 1 << 1;
inline constexpr Context kSelfContext = 2 << 1;

struct Comm : Object {
  Context context = 0;
  Worker* worker = nullptr;          // home of the process (progress/worker.h)
  Worker* message_worker = nullptr;  // for users' point-to-point messages: those with `context` as it is
  int rank = 0;                      // of this process in the local group
  int size = 0;                      // of the local group
  int remote_size = 0;               // peers that ranks of point-to-point calls name: size, or that of the remote group
  bool inter = false;
  Ref<Group> group;         // local group
  Ref<Group> remote_group;  // == group for an intracommunicator
  Ref<Comm> local_comm;     // of an intercommunicator: an intracommunicator over the local group
  Ref<Errhandler> errhandler;
  Ref<Info> info;
  Held<Topology> topology{nullptr, nullptr};
  Held<CollState> coll{nullptr, nullptr};
  std::shared_ptr<const Learned> learned;  // from the parent, if that has the same processes
  Held<BsendBuffer> bsend{nullptr, nullptr};
  std::string name;
  Attributes attributes;
  std::uint32_t coll_sequence[2] = {};  // of the next blocking collective operation, of the next other one (coll/drive.h)
  std::uint32_t creation_sequence = 0;  // tag of the next creation of a communicator from this one (comm/agree.h)
  bool freed = false;                   // MPI_Comm_free was called; lives on while operations are pending

  Peer peer(int r) const { return remote_group->peer(r); }
};

using CommPool = Pool<Comm, Kind::kComm>;
// Only for the functions below, which every call passes through: inline, they need no page of code of their own.
namespace object {
extern constinit CommPool the_comm_pool;
extern constinit Comm* the_world;
extern constinit Comm* the_self;
}  // namespace object
inline CommPool& comm_pool() { return object::the_comm_pool; }
void destroy(Comm& comm);

// MPI_COMM_WORLD and MPI_COMM_SELF; nullptr before init and after finalize.
inline Comm* comm_world() { return object::the_world; }
inline Comm* comm_self() { return object::the_self; }

namespace object {

// What boot/ registers, while no other thread may call MPI; it makes and destroys both communicators.
void set_world(Comm* world);
void set_self(Comm* self);

// A context that nothing in the universe has or had. Thread-safe. One that is not used in the end costs nothing.
Context next_context();

// Makes a communicator object over the given groups. No communication. Takes its error handler from `parent`
// (nullptr: the default, MPI_ERRORS_ARE_FATAL). For an intracommunicator remote is empty. This process is a member of `local`.
// The caller owns the reference; that of an intercommunicator sets local_comm.
Comm* make_comm(Context context, Worker& worker, Ref<Group> local, Ref<Group> remote, const Comm* parent);

}  // namespace object
}  // namespace starling
