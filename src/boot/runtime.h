// SPDX-License-Identifier: BSD-3-Clause
// The life of the library in this process: from the first MPI call to after the last (MPI 5.0 chapter 11).
#pragma once

#include <pthread.h>

#include <atomic>
#include <string>

#include "base/constants.gen.h"
#include "base/job.h"
#include "base/types.h"
#include "progress/worker.h"

namespace starling {

struct Comm;

// How this process came to be, and how it reaches those who started it.
class Launch;

struct Runtime {
  // The world model (MPI_Init ... MPI_Finalize). Sessions do not change it.
  enum class World : int { kBeforeInit, kInitialized, kFinalized };
  std::atomic<World> world{World::kBeforeInit};
  // MPI_Init and open sessions: the library runs while there are any.
  int users = 0;
  int thread_level = kThreadSingle;  // provided
  pthread_t main_thread{};           // who called MPI_Init
  // Made for the first user and kept to the end of the process: after the last MPI_Session_finalize another session may come,
  // and a peer that is ahead may already have sent it messages, which only this worker knows.
  Worker* worker = nullptr;
  Launch* launch = nullptr;

  int rank = 0;  // in MPI_COMM_WORLD
  int size = 1;
};

// Never destroyed: a program may call MPI from its own destructors and atexit handlers, after main.
template <class T>
union Immortal {
  T value;
  constexpr Immortal() : value() {}
  ~Immortal() {}
};
extern constinit Immortal<Runtime> the_runtime;

// The one of this process. Only entries (src/abi) and boot use it: all other code gets its worker handed down.
inline Runtime& runtime() { return the_runtime.value; }

namespace boot {

// True if functions that need the library running may be called.
inline bool running() { return runtime().users > 0; }

// Ends the whole job with the exit code. `message` is one line for stderr, without newline; may be empty. Does not return.
[[noreturn]] void abort_job(const std::string& message, int code);

}  // namespace boot
}  // namespace starling
