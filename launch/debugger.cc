// SPDX-License-Identifier: BSD-3-Clause
#include "launch/debugger.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

// The names and their types are those of the interface; a debugger finds them by the symbol table.
extern "C" {

struct MPIR_PROCDESC {
  char* host_name;
  char* executable_name;
  int pid;
};

constexpr int kSpawned = 1;  // MPIR_DEBUG_SPAWNED

#define STARLING_MPIR [[gnu::used, gnu::visibility("default")]]
STARLING_MPIR MPIR_PROCDESC* MPIR_proctable = nullptr;
STARLING_MPIR int MPIR_proctable_size = 0;
STARLING_MPIR volatile int MPIR_being_debugged = 0;  // set by the debugger
STARLING_MPIR volatile int MPIR_debug_state = 0;
STARLING_MPIR int MPIR_i_am_starter = 0;       // that it is there says that mpiexec is no rank
STARLING_MPIR int MPIR_partial_attach_ok = 0;  // that it is there: ranks that nobody attaches to go on by themselves

STARLING_MPIR [[gnu::noinline]] void MPIR_Breakpoint() { asm volatile("" ::: "memory"); }
}

namespace starling::launch {

ProcessTable::ProcessTable(int ranks) : ranks_(ranks) {
  void* memory = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail(kErrNoMem, "no memory for the process table: %s", std::strerror(errno));
  shared_ = static_cast<Shared*>(memory);  // zero
}

ProcessTable::~ProcessTable() { munmap(shared_, bytes()); }

void ProcessTable::publish(const std::vector<pid_t>& processes) {
  for (std::size_t i = 0; i < processes.size(); ++i) shared_->processes[i] = processes[i];
  shared_->published.store(1, std::memory_order_release);  // the front reads the table after it sees this
  kill(getppid(), SIGCHLD);
}

bool ProcessTable::holds() const { return MPIR_being_debugged != 0; }
bool ProcessTable::released() const { return shared_->released.load(std::memory_order_acquire) != 0; }

void ProcessTable::serve(const Plan& plan) {
  if (told_ || shared_->published.load(std::memory_order_acquire) == 0) return;
  told_ = true;
  // Never freed: a debugger may come at any time until mpiexec ends.
  MPIR_proctable = new MPIR_PROCDESC[static_cast<std::size_t>(ranks_)];
  for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks_); ++rank) {
    const PlannedProgram& program = plan.programs[static_cast<std::size_t>(plan.program_of[rank])];
    MPIR_proctable[rank] = {strdup(plan.host.c_str()), strdup(program.path.c_str()), shared_->processes[rank]};
  }
  MPIR_proctable_size = ranks_;
  MPIR_debug_state = kSpawned;
  MPIR_Breakpoint();
  shared_->released.store(1, std::memory_order_release);
}

}  // namespace starling::launch
