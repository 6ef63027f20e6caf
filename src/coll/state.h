// SPDX-License-Identifier: BSD-3-Clause
// CollState: what the collectives keep with a communicator. Made with its first one, owned by it (Comm::coll).
//
// Thread-safety: worker lock.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "base/counters.h"
#include "base/types.h"
#include "object/comm.h"

namespace starling {

namespace coll {
struct Board;    // coll/board.h
struct NodeMap;  // coll/nodes.h
struct Rule;     // coll/rules.h
struct Tuning;   // coll/tuning.h
}  // namespace coll

struct CollState {
  struct Choice {
    Count min_bytes, max_bytes;
    const void* algorithm;   // coll::Algorithm<Args> of the collective
    const coll::Rule* rule;  // that says so; nullptr: a setting does
  };
  using Plan = std::vector<Choice>;

  explicit CollState(const Comm& comm);
  ~CollState();

  // Whether there may be boards at all: an intracommunicator of several processes of the job, all on this host. The same on
  // all of them.
  const bool shares_memory;
  // Of the blocking operations, then of the others: made with the first operation that wants one (coll/board.h).
  std::array<std::unique_ptr<coll::Board>, 2> boards;
  // By coll::Id, of the blocking operations, then of the others (coll/plan.h).
  std::array<std::unique_ptr<Plan>, 2 * kCountedCollectives> plans;
  std::shared_ptr<const coll::NodeMap> nodes;   // made with the first algorithm that asks (coll/nodes.h)
  Held<coll::Tuning> tuning{nullptr, nullptr};  // while algorithms are tried (coll/tuning.h)
};

namespace coll {

[[gnu::cold]] CollState& make_state(Comm& comm);
inline CollState& state_of(Comm& comm) {
  if (!comm.coll) [[unlikely]]
    return make_state(comm);
  return *comm.coll;
}

}  // namespace coll
}  // namespace starling
