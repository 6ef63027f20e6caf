// SPDX-License-Identifier: BSD-3-Clause
// Algorithm: one way to run a collective operation. Collective: what is known of an operation, with the list of its algorithms.
// An algorithm is added by writing one file and adding one line to the list of its collective, and to the rules (rules.cc) if
// it is to be chosen by itself.
#pragma once

#include <cstddef>
#include <span>

#include "base/counters.h"
#include "coll/args.h"
#include "coll/board.h"
#include "coll/task.h"
#include "p2p/request.h"

namespace starling::coll {

struct NodeMap;  // coll/nodes.h

// In the order of MPI 5.0 chapters 6 and 8.
enum class Id : unsigned char {
  kBarrier,
  kBcast,
  kGather,
  kGatherv,
  kScatter,
  kScatterv,
  kAllgather,
  kAllgatherv,
  kAlltoall,
  kAlltoallv,
  kAlltoallw,
  kReduce,
  kAllreduce,
  kReduceScatterBlock,
  kReduceScatter,
  kScan,
  kExscan,
  kNeighborAllgather,
  kNeighborAllgatherv,
  kNeighborAlltoall,
  kNeighborAlltoallv,
  kNeighborAlltoallw,
  kCount_,
};
inline constexpr std::size_t kIds = static_cast<std::size_t>(Id::kCount_);
static_assert(kIds == kCountedCollectives);

// What an operation has to do, as far as the number of messages depends on it.
struct Load {
  int ranks;
  Count bytes;  // as Collective::bytes counts them
  int root = 0;
  const NodeMap* nodes = nullptr;
};
// What all processes together send: messages, and bytes in them.
struct Traffic {
  Count messages = 0, bytes = 0;
};

template <class Args>
struct Algorithm {
  const char* name;  // as in the settings that choose one
  Task (*run)(Ctx, Args);
  bool (*applies)(const Ctx&, const Args&) = nullptr;  // nullptr: always. Says the same on every process
  // The formula, for a commutative operation, equal blocks, and vectors that are not empty and can be cut into equal parts.
  Traffic (*traffic)(const Load&) = nullptr;
  unsigned traits = 0;
};

// Traits of algorithms.
// Counts on all processes running the operations of a communicator in the same order, as those of blocking and non-blocking
// calls are; persistent requests may be started in any order.
inline constexpr unsigned kInCallOrder = 1;
// Combines in the canonical order (coll/fold.h), where `Ctx::may_reorder` denies to do otherwise: as all others with this
// trait, so that rounding is the same. Only of reductions.
inline constexpr unsigned kCanonical = 2;

// All are constants. For an intracommunicator the rules choose among `intra`, for an intercommunicator the first that applies
// is taken. The last one of each list always applies.
template <class Args>
struct Collective {
  Id id;
  std::span<const Algorithm<Args>> intra, inter;
  Count (*bytes)(const Ctx&, const Args&);  // by which the rules choose: the same on every process
  RequestOps nonblocking, persistent;       // of its requests
};

// What only the processes of an intracommunicator with commutative operations may use, and the like.
inline bool commutes(const Ctx& c, const ReduceArgs& a) { return c.may_reorder(*a.op); }
inline bool vector_fits_board(const Ctx& c, const ReduceArgs& a) {
  return may_have_board(c) && span(a.count, *a.type) <= kSlotRoom;
}
// Predefined types, because whether a type has gaps must be the same everywhere.
inline bool vector_is_direct(const Ctx& c, const ReduceArgs& a) {
  return may_have_board(c) && a.type->permanent && a.type->contiguous;
}
template <class Args>
[[gnu::hot]] Count no_bytes(const Ctx&, const Args&) {
  return 0;
}
inline Count bytes_reduced(const Ctx&, const ReduceArgs& a) { return a.count * a.type->size; }

}  // namespace starling::coll
