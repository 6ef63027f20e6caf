// SPDX-License-Identifier: BSD-3-Clause
#include "object/errhandler.h"

#include <cstdio>
#include <cstdlib>

#include "base/error.h"

namespace starling {

namespace {

constinit ErrhandlerPool pool;

constexpr std::uint16_t kFirstCode = kCodeErrorsAreFatal;
constinit Errhandler predefined[] = {
    {{Kind::kErrhandler, kCodeErrorsAreFatal}, Kind::kFree, {}},
    {{Kind::kErrhandler, kCodeErrorsAbort}, Kind::kFree, {}},
    {{Kind::kErrhandler, kCodeErrorsReturn}, Kind::kFree, {}},
};

// Until boot/ has something better, for errors before MPI_Init.
void abort_process(const std::string& message, int code) {
  std::fprintf(stderr, "%s\n", message.c_str());
  std::_Exit(code ? code : EXIT_FAILURE);
}

constinit object::Abort abort_job = abort_process;

const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::kComm:
      return "communicators";
    case Kind::kWin:
      return "windows";
    case Kind::kFile:
      return "files";
    case Kind::kSession:
      return "sessions";
    default:
      return "other objects";
  }
}

}  // namespace

ErrhandlerPool& errhandler_pool() { return pool; }

void destroy(Errhandler& handler) { pool.destroy(&handler); }

Errhandler* predefined_errhandler(unsigned code) {
  return code >= kFirstCode && code < kFirstCode + std::size(predefined) ? &predefined[code - kFirstCode] : nullptr;
}

namespace object {

Errhandler* make_errhandler(Kind on, Callback user) {
  Errhandler* handler = pool.create();
  handler->on = on;
  handler->user = user;
  return handler;
}

void check_errhandler(const Errhandler& handler, Kind on) {
  if (handler.on != Kind::kFree && handler.on != on)
    fail(kErrErrhandler, "the error handler was made for %s, not for %s", kind_name(handler.on), kind_name(on));
}

void set_abort(Abort abort) { abort_job = abort; }

void abort(const std::string& message, int code) {
  abort_job(message, code);
  __builtin_unreachable();  // an Abort does not return
}

bool is_fatal(const Errhandler* handler) {
  return !handler || handler->code == kCodeErrorsAreFatal || handler->code == kCodeErrorsAbort;
}

void handle_error(Errhandler* handler, Object& on, int& code, const std::string& message) {
  if (is_fatal(handler)) abort_job(message, code);
  if (!handler || !handler->user) return;
  Ref<Errhandler> keep(handler);  // the user's function may detach it
  handler->user.abi->errhandler(handler->user.function, on, code);
}

}  // namespace object
}  // namespace starling
