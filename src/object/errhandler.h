// SPDX-License-Identifier: BSD-3-Clause
// Error handlers (MPI 5.0 chapter 9): what happens when a call cannot be done. The texts are in object/error_text.h.
#pragma once

#include <string>

#include "object/callback.h"
#include "object/object.h"
#include "object/pool.h"

namespace starling {

struct Errhandler : Object {
  Kind on = Kind::kFree;  // what a user-made handler may be attached to; kFree: anything (predefined)
  Callback user;          // empty for the predefined ones, told apart by Object::code
};

using ErrhandlerPool = Pool<Errhandler, Kind::kErrhandler>;
ErrhandlerPool& errhandler_pool();  // of those made by users
void destroy(Errhandler& handler);
Errhandler* predefined_errhandler(unsigned code);  // kCodeErrorsAreFatal, kCodeErrorsAbort, kCodeErrorsReturn; else nullptr

namespace object {

// Makes a handler for objects of one kind; the caller owns the reference.
Errhandler* make_errhandler(Kind on, Callback user);
// Throws Error(kErrArg) unless the handler may be attached to objects of this kind.
void check_errhandler(const Errhandler& handler, Kind on);

// How a process dies: boot/ hands it down at start-up, so that this layer needs to know nothing of launchers. Must not return.
using Abort = void (*)(const std::string& message, int code);
void set_abort(Abort abort);
[[noreturn]] void abort(const std::string& message, int code);

// Whether the handler ends the job. nullptr stands for MPI_ERRORS_ARE_FATAL, the default.
bool is_fatal(const Errhandler* handler);

// Lets the handler deal with an error on an object: ends the job, calls the user's function (which may change `code`), or just
// returns. `message` is one line that names the call and the reason.
void handle_error(Errhandler* handler, Object& on, int& code, const std::string& message);

}  // namespace object
}  // namespace starling
