// SPDX-License-Identifier: BSD-3-Clause
#include "coll/state.h"

#include "coll/board.h"
#include "coll/nodes.h"
#include "coll/tuning.h"
#include "progress/worker.h"

namespace starling {

CollState::CollState(const Comm& comm)
    : shares_memory(comm.worker->job.base && !comm.inter && comm.size > 1 &&
                    comm.group->highest < comm.worker->peers.residents()) {}
CollState::~CollState() = default;

namespace coll {

CollState& make_state(Comm& comm) {
  comm.coll = make_held<CollState>(comm);
  return *comm.coll;
}

}  // namespace coll
}  // namespace starling
