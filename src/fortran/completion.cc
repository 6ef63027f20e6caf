// SPDX-License-Identifier: BSD-3-Clause
// Completion and start of requests: indices count from one in Fortran, and copies of array sections go back (pending.h).
#include "pending.h"

using namespace starling::fortran;

namespace {

// From an index of C to one of Fortran.
void shift(Fint* index) {
  if (*index != MPI_UNDEFINED) ++*index;
}

void all_done(Completing& watch, int code, bool flag = true) {
  if (flag && (code == MPI_SUCCESS || code == MPI_ERR_IN_STATUS)) watch.all_done();
}

void one_done(Completing& watch, Fint* indx, bool flag = true) {
  if (!flag) return;
  watch.done(*indx);
  shift(indx);
}

void some_done(Completing& watch, int code, Fint outcount, Fint* indices) {
  if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS) return;
  for (int i = 0; outcount != MPI_UNDEFINED && i < outcount; ++i) {
    watch.done(indices[i]);
    shift(&indices[i]);
  }
}

}  // namespace

extern "C" {

void pmpi_wait_(Fint* request, Fint* status, Fint* ierror) {
  Completing watch(request, 1);
  const int code = PMPI_Wait(Request::InOut(request, 1), status_of(status));
  all_done(watch, code);
  put(ierror, code);
}
STARLING_NAMES(wait, WAIT)
STARLING_NAMES_F08(wait)

void pmpi_waitall_(const Fint* count, Fint* requests, Fint* statuses, Fint* ierror) {
  Completing watch(requests, *count);
  const int code = PMPI_Waitall(*count, Request::InOut(requests, *count), statuses_of(statuses));
  all_done(watch, code);
  put(ierror, code);
}
STARLING_NAMES(waitall, WAITALL)
STARLING_NAMES_F08(waitall)

void pmpi_waitany_(const Fint* count, Fint* requests, Fint* indx, Fint* status, Fint* ierror) {
  Completing watch(requests, *count);
  *indx = MPI_UNDEFINED;
  put(ierror, PMPI_Waitany(*count, Request::InOut(requests, *count), indx, status_of(status)));
  one_done(watch, indx);
}
STARLING_NAMES(waitany, WAITANY)
STARLING_NAMES_F08(waitany)

void pmpi_waitsome_(const Fint* incount, Fint* requests, Fint* outcount, Fint* indices, Fint* statuses, Fint* ierror) {
  Completing watch(requests, *incount);
  const int code = PMPI_Waitsome(*incount, Request::InOut(requests, *incount), outcount, indices, statuses_of(statuses));
  some_done(watch, code, *outcount, indices);
  put(ierror, code);
}
STARLING_NAMES(waitsome, WAITSOME)
STARLING_NAMES_F08(waitsome)

void pmpi_test_(Fint* request, Fint* flag, Fint* status, Fint* ierror) {
  Completing watch(request, 1);
  const int code = PMPI_Test(Request::InOut(request, 1), flag, status_of(status));
  all_done(watch, code, *flag);
  put(ierror, code);
}
STARLING_NAMES(test, TEST)
STARLING_NAMES_F08(test)

void pmpi_testall_(const Fint* count, Fint* requests, Fint* flag, Fint* statuses, Fint* ierror) {
  Completing watch(requests, *count);
  const int code = PMPI_Testall(*count, Request::InOut(requests, *count), flag, statuses_of(statuses));
  all_done(watch, code, *flag);
  put(ierror, code);
}
STARLING_NAMES(testall, TESTALL)
STARLING_NAMES_F08(testall)

void pmpi_testany_(const Fint* count, Fint* requests, Fint* indx, Fint* flag, Fint* status, Fint* ierror) {
  Completing watch(requests, *count);
  *indx = MPI_UNDEFINED;
  put(ierror, PMPI_Testany(*count, Request::InOut(requests, *count), indx, flag, status_of(status)));
  one_done(watch, indx, *flag);
}
STARLING_NAMES(testany, TESTANY)
STARLING_NAMES_F08(testany)

void pmpi_testsome_(const Fint* incount, Fint* requests, Fint* outcount, Fint* indices, Fint* statuses, Fint* ierror) {
  Completing watch(requests, *incount);
  const int code = PMPI_Testsome(*incount, Request::InOut(requests, *incount), outcount, indices, statuses_of(statuses));
  some_done(watch, code, *outcount, indices);
  put(ierror, code);
}
STARLING_NAMES(testsome, TESTSOME)
STARLING_NAMES_F08(testsome)

void pmpi_request_get_status_(const Fint* request, Fint* flag, Fint* status, Fint* ierror) {
  Completing watch(request, 1);
  const int code = PMPI_Request_get_status(Request::in(request), flag, status_of(status));
  all_done(watch, code, *flag);
  put(ierror, code);
}
STARLING_NAMES(request_get_status, REQUEST_GET_STATUS)
STARLING_NAMES_F08(request_get_status)

void pmpi_request_get_status_all_(const Fint* count, const Fint* requests, Fint* flag, Fint* statuses, Fint* ierror) {
  Completing watch(requests, *count);
  const int code = PMPI_Request_get_status_all(*count, Request::In(requests, *count), flag, statuses_of(statuses));
  all_done(watch, code, *flag);
  put(ierror, code);
}
STARLING_NAMES(request_get_status_all, REQUEST_GET_STATUS_ALL)
STARLING_NAMES_F08(request_get_status_all)

void pmpi_request_get_status_any_(const Fint* count, const Fint* requests, Fint* indx, Fint* flag, Fint* status, Fint* ierror) {
  Completing watch(requests, *count);
  *indx = MPI_UNDEFINED;
  put(ierror, PMPI_Request_get_status_any(*count, Request::In(requests, *count), indx, flag, status_of(status)));
  one_done(watch, indx, *flag);
}
STARLING_NAMES(request_get_status_any, REQUEST_GET_STATUS_ANY)
STARLING_NAMES_F08(request_get_status_any)

void pmpi_request_get_status_some_(const Fint* incount, const Fint* requests, Fint* outcount, Fint* indices, Fint* statuses,
                                   Fint* ierror) {
  Completing watch(requests, *incount);
  const int code = PMPI_Request_get_status_some(*incount, Request::In(requests, *incount), outcount, indices, statuses_of(statuses));
  some_done(watch, code, *outcount, indices);
  put(ierror, code);
}
STARLING_NAMES(request_get_status_some, REQUEST_GET_STATUS_SOME)
STARLING_NAMES_F08(request_get_status_some)

void pmpi_start_(Fint* request, Fint* ierror) {
  started(request, 1);
  put(ierror, PMPI_Start(Request::InOut(request, 1)));
}
STARLING_NAMES(start, START)
STARLING_NAMES_F08(start)

void pmpi_startall_(const Fint* count, Fint* requests, Fint* ierror) {
  started(requests, *count);
  put(ierror, PMPI_Startall(*count, Request::InOut(requests, *count)));
}
STARLING_NAMES(startall, STARTALL)
STARLING_NAMES_F08(startall)

void pmpi_request_free_(Fint* request, Fint* ierror) {
  forgotten(request);
  put(ierror, PMPI_Request_free(Request::InOut(request, 1)));
}
STARLING_NAMES(request_free, REQUEST_FREE)
STARLING_NAMES_F08(request_free)

}  // extern "C"
