// SPDX-License-Identifier: BSD-3-Clause
// Error handlers of sessions, and error codes (MPI 5.0 chapter 9). Those of communicators are in comm/error_api.cc.
#include <utility>

#include "base/error.h"
#include "object/entry.gen.h"
#include "object/errhandler.h"
#include "object/error_text.h"
#include "object/session.h"

namespace starling::object {

namespace {

// Sessions start with a predefined handler, so there always is one to hand out.
Errhandler* hand_out(const Ref<Errhandler>& handler, unsigned initial) {
  return retain(handler ? handler.get() : predefined_errhandler(initial));
}

std::string call_message(const char* function, int code) {
  return std::string(function) + " was called with error " + std::to_string(code) + ": " + error_text(code);
}

}  // namespace

void session_create_errhandler(Callback function, Errhandler*& errhandler) {
  errhandler = make_errhandler(Kind::kSession, function);
}
void file_create_errhandler(Callback function, Errhandler*& errhandler) { errhandler = make_errhandler(Kind::kFile, function); }
void win_create_errhandler(Callback function, Errhandler*& errhandler) { errhandler = make_errhandler(Kind::kWin, function); }

void errhandler_free(Errhandler*& errhandler) {
  release(errhandler);  // predefined ones are handed out by MPI_*_get_errhandler, so they may come back
  errhandler = nullptr;
}

void session_set_errhandler(Session& session, Errhandler& errhandler) {
  check_errhandler(errhandler, Kind::kSession);
  session.errhandler = Ref<Errhandler>(&errhandler);
}

void session_get_errhandler(Session& session, Errhandler*& errhandler) {
  errhandler = hand_out(session.errhandler, kCodeErrorsAreFatal);
}

void session_call_errhandler(Session& session, int errorcode) {
  handle_error(session.errhandler.get(), session, errorcode, call_message("MPI_Session_call_errhandler", errorcode));
}

void error_class(int errorcode, int& errorclass) { errorclass = error_class(errorcode); }
void error_string(int errorcode, std::string& string) { string = error_text(errorcode); }
void add_error_class(int& errorclass) { errorclass = add_class(); }
void add_error_code(int errorclass, int& errorcode) { errorcode = add_code(errorclass); }
void add_error_string(int errorcode, std::string_view string) { add_text(errorcode, string); }
void remove_error_class(int errorclass) { remove_class(errorclass); }
void remove_error_code(int errorcode) { remove_code(errorcode); }
void remove_error_string(int errorcode) { remove_text(errorcode); }

}  // namespace starling::object
