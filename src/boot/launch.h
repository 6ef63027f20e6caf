// SPDX-License-Identifier: BSD-3-Clause
// Launch: who started this process. One class for each way: our mpiexec, a PMI-1 process manager (Hydra, Intel's mpiexec),
// nobody.
#pragma once

#include <memory>
#include <string>

#include "base/job.h"

namespace starling {

namespace boot {
class Pmi1Client;
}

class Launch {
 public:
  virtual ~Launch() = default;
  virtual const char* name() const = 0;

  int rank = 0;
  int size = 1;
  int universe_size = 0;  // 0: not known
  int appnum = 0;         // index of the program in an MPMD start
  JobMapping job;
  bool spawned = false;  // by MPI_Comm_spawn

  // Tells the process manager that the last user of the library has finalized: from now on this rank may end.
  virtual void finalize() = 0;
  // After finalize(): a session has been opened again, and the rank must not end before the next finalize().
  virtual void resume() = 0;
  // Asks the process manager to end the job. Returns if it has nobody to ask; the caller exits either way.
  virtual void abort(int code) = 0;
  // Who starts processes and keeps names for this rank; made on first use. Throws Error(kErrSpawn) if there is nobody.
  virtual boot::Pmi1Client& manager() = 0;

  // Finds out and joins the job. Throws Error(kErrOther) with the reason when that fails.
  static std::unique_ptr<Launch> join();
};

std::unique_ptr<Launch> join_starling(const char* segment_path);  // boot/launch_starling.cc
std::unique_ptr<Launch> join_pmi1();                              // boot/launch_pmi1.cc; nullptr if there is no PMI-1 server
std::unique_ptr<Launch> join_singleton();                         // boot/launch.cc

}  // namespace starling
