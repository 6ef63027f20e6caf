// SPDX-License-Identifier: BSD-3-Clause
// Call: one call of an MPI function, from its first to its last instruction. It holds the lock of a worker when the process is
// multi-threaded, knows whose error handler reports, and turns what was thrown into the code that the function returns.
//
// The checks of arguments (checks.h) are inline and cheap; all that happens on failure is out of line and cold.
#pragma once

#include <string>

#include "base/error.h"
#include "boot/runtime.h"
#include "codec.h"
#include "p2p/request.h"

// MPI_<name> as a second, weak name of PMPI_<name>, so that a tool can put its own function there (MPI 5.0 section 15.2). Not
// by
// `#pragma weak`: Clang makes the new name one of C++.
#define STARLING_NAME_SHIFTED(name) extern "C" decltype(PMPI_##name) MPI_##name __attribute__((weak, alias("PMPI_" #name)))

namespace starling::abi {

// An argument as users know it: by name and position.
struct Argument {
  const char* name;
  int position;
};

// Fails with "<name> = <value> <what> (argument <position>)".
[[noreturn, gnu::cold, gnu::noinline]] void bad(int error_class, Argument argument, Count value, const char* what);
// Fails with "<name> <what> (argument <position>)".
[[noreturn, gnu::cold, gnu::noinline]] void bad(int error_class, Argument argument, const char* what);

class Call {
 public:
  // kRunning: needs the library to run. kAnytime: may be called before MPI_Init and after MPI_Finalize. kMessages: kRunning,
  // and deals with users' messages only, so that it holds the worker that has them; all others hold home.
  enum When { kRunning, kAnytime, kMessages };

  explicit Call(const char* function, When when = kRunning) : function_(function) {
    if (when != kAnytime && !boot::running()) [[unlikely]]
      not_running();
    Worker* worker = runtime().worker;
    if (worker && worker->multithreaded) [[unlikely]]
      begin(*worker, when);
  }
  ~Call() {
    if (locked_) [[unlikely]]
      end();
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  const char* function() const { return function_; }

  // Whose error handler reports from now on; until then, and for nullptr, that of MPI_COMM_SELF.
  void on(Object* object) {
    on_ = object;
    if (chooses_ && !locked_) [[unlikely]]
      hold_for(object);
  }
  // Of calls of kMessages: the call holds the worker of the request from now on, and no other. The request that all short sends
  // have in common has none, and needs none: nothing of it ever changes.
  void hold(const Request& request) {
    if (chooses_ && request.worker) [[unlikely]]
      hold_worker(*request.worker);
  }
  // Until there is a file, errors go to the handler of files that are not open (MPI 5.0, 14.7), by default MPI_ERRORS_RETURN,
  // although the call may have a communicator.
  void on_no_file() { no_file_ = true; }

  // In a catch-all handler only: reports the current exception and returns the code for the user.
  [[gnu::cold, gnu::noinline]] int failed();
  // Reports an error that was not thrown (of a request); returns the code for the user.
  [[gnu::cold, gnu::noinline]] int failed(const Error& error);
  // The code of an error that is not reported but handed out, in a status.
  [[gnu::cold, gnu::noinline]] int code_of(const Error& error);
  // Throws the error of a function that belongs to a later version of the library.
  [[noreturn, gnu::cold, gnu::noinline]] void unsupported() const;

 private:
  [[gnu::cold, gnu::noinline]] void not_running() const;
  [[gnu::noinline]] void begin(Worker& home, When when);
  [[gnu::noinline]] void end();
  [[gnu::noinline]] void hold_for(const Object* object);
  [[gnu::noinline]] void hold_worker(Worker& worker);
  int report(const Error& error);
  std::string describe(const Error& error) const;

  const char* function_;
  Object* on_ = nullptr;
  Worker* locked_ = nullptr;
  bool chooses_ = false;  // among several workers
  bool no_file_ = false;
};

}  // namespace starling::abi
