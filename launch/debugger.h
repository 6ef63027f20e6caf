// SPDX-License-Identifier: BSD-3-Clause
// The process table for debuggers, in the form that parallel debuggers have agreed on ("The MPIR Process Acquisition
// Interface", MPI Forum, version 1.0): they look for it in mpiexec, which is the front; the agent, which starts the ranks,
// hands it over.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <vector>

#include "launch/plan.h"

namespace starling::launch {

// What front and agent share: made before the agent is.
class ProcessTable {
 public:
  explicit ProcessTable(int ranks);
  ~ProcessTable();
  ProcessTable(const ProcessTable&) = delete;

  // Agent: the ranks' processes, when all have been started; wakes the front.
  void publish(const std::vector<pid_t>& processes);
  // Agent: whether ranks shall wait in MPI_Init for the debugger, and whether it has let them go.
  bool holds() const;
  bool released() const;

  // Front: fills the table when the agent has published it, once, and calls the breakpoint.
  void serve(const Plan& plan);

 private:
  struct Shared {
    std::atomic<int> published;
    std::atomic<int> released;
    pid_t processes[1];  // one for each rank
  };
  std::size_t bytes() const { return sizeof(Shared) + static_cast<std::size_t>(ranks_) * sizeof(pid_t); }

  int ranks_;
  Shared* shared_;
  bool told_ = false;
};

}  // namespace starling::launch
