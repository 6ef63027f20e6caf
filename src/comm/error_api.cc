// SPDX-License-Identifier: BSD-3-Clause
// Error handlers of communicators (MPI 5.0 section 9.3.1).
#include "comm/comm.h"
#include "object/entry.gen.h"
#include "object/errhandler.h"
#include "object/error_text.h"

namespace starling::object {

void comm_create_errhandler(Callback function, Errhandler*& errhandler) { errhandler = make_errhandler(Kind::kComm, function); }

void comm_set_errhandler(Comm& comm, Errhandler& errhandler) {
  check_errhandler(errhandler, Kind::kComm);
  comm.errhandler = Ref<Errhandler>(&errhandler);
}

void comm_get_errhandler(Comm& comm, Errhandler*& errhandler) {
  errhandler = retain(comm.errhandler ? comm.errhandler.get() : predefined_errhandler(kCodeErrorsAreFatal));
}

void comm_call_errhandler(Comm& comm, int errorcode) {
  std::string message =
      "MPI_Comm_call_errhandler was called with error " + std::to_string(errorcode) + ": " + error_text(errorcode);
  handle_error(comm.errhandler.get(), comm, errorcode, message);
}

}  // namespace starling::object
