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

void STARLING_LOWER(wait_)(Fint* request, Fint* status, Fint* ierror) {
  Completing watch(request, 1);
  const int code = STARLING_UPPER(Wait)(Request::InOut(request, 1), status_of(status));
  all_done(watch, code);
  put(ierror, code);
}
STARLING_NAMES(wait, WAIT)
STARLING_NAMES_F08(wait)

void STARLING_LOWER(waitall_)(const Fint* count, Fint* requests, Fint* statuses, Fint* ierror) {
  Completing watch(requests, *count);
  const int code = STARLING_UPPER(Waitall)(*count, Request::InOut(requests, *count), statuses_of(statuses));
  all_done(watch, code);
  put(ierror, code);
}
STARLING_NAMES(waitall, WAITALL)
STARLING_NAMES_F08(waitall)

void STARLING_LOWER(waitany_)(const Fint* count, Fint* requests, Fint* indx, Fint* status, Fint* ierror) {
  Completing watch(requests, *count);
  *indx = MPI_UNDEFINED;
  put(ierror, STARLING_UPPER(Waitany)(*count, Request::InOut(requests, *count), indx, status_of(status)));
  one_done(watch, indx);
}
STARLING_NAMES(waitany, WAITANY)
STARLING_NAMES_F08(waitany)

void STARLING_LOWER(waitsome_)(const Fint* incount, Fint* requests, Fint* outcount, Fint* indices, Fint* statuses,
                               Fint* ierror) {
  Completing watch(requests, *incount);
  const int code =
      STARLING_UPPER(Waitsome)(*incount, Request::InOut(requests, *incount), outcount, indices, statuses_of(statuses));
  some_done(watch, code, *outcount, indices);
  put(ierror, code);
}
STARLING_NAMES(waitsome, WAITSOME)
STARLING_NAMES_F08(waitsome)

void STARLING_LOWER(test_)(Fint* request, Fint* flag, Fint* status, Fint* ierror) {
  Completing watch(request, 1);
  const int code = STARLING_UPPER(Test)(Request::InOut(request, 1), flag, status_of(status));
  all_done(watch, code, *flag);
  put(ierror, code);
}
STARLING_NAMES(test, TEST)
STARLING_NAMES_F08(test)

void STARLING_LOWER(testall_)(const Fint* count, Fint* requests, Fint* flag, Fint* statuses, Fint* ierror) {
  Completing watch(requests, *count);
  const int code = STARLING_UPPER(Testall)(*count, Request::InOut(requests, *count), flag, statuses_of(statuses));
  all_done(watch, code, *flag);
  put(ierror, code);
}
STARLING_NAMES(testall, TESTALL)
STARLING_NAMES_F08(testall)

void STARLING_LOWER(testany_)(const Fint* count, Fint* requests, Fint* indx, Fint* flag, Fint* status, Fint* ierror) {
  Completing watch(requests, *count);
  *indx = MPI_UNDEFINED;
  put(ierror, STARLING_UPPER(Testany)(*count, Request::InOut(requests, *count), indx, flag, status_of(status)));
  one_done(watch, indx, *flag);
}
STARLING_NAMES(testany, TESTANY)
STARLING_NAMES_F08(testany)

void STARLING_LOWER(testsome_)(const Fint* incount, Fint* requests, Fint* outcount, Fint* indices, Fint* statuses,
                               Fint* ierror) {
  Completing watch(requests, *incount);
  const int code =
      STARLING_UPPER(Testsome)(*incount, Request::InOut(requests, *incount), outcount, indices, statuses_of(statuses));
  some_done(watch, code, *outcount, indices);
  put(ierror, code);
}
STARLING_NAMES(testsome, TESTSOME)
STARLING_NAMES_F08(testsome)

void STARLING_LOWER(request_get_status_)(const Fint* request, Fint* flag, Fint* status, Fint* ierror) {
  Completing watch(request, 1);
  const int code = STARLING_UPPER(Request_get_status)(Request::in(request), flag, status_of(status));
  all_done(watch, code, *flag);
  put(ierror, code);
}
STARLING_NAMES(request_get_status, REQUEST_GET_STATUS)
STARLING_NAMES_F08(request_get_status)

void STARLING_LOWER(request_get_status_all_)(const Fint* count, const Fint* requests, Fint* flag, Fint* statuses,
                                             Fint* ierror) {
  Completing watch(requests, *count);
  const int code = STARLING_UPPER(Request_get_status_all)(*count, Request::In(requests, *count), flag, statuses_of(statuses));
  all_done(watch, code, *flag);
  put(ierror, code);
}
STARLING_NAMES(request_get_status_all, REQUEST_GET_STATUS_ALL)
STARLING_NAMES_F08(request_get_status_all)

void STARLING_LOWER(request_get_status_any_)(const Fint* count, const Fint* requests, Fint* indx, Fint* flag, Fint* status,
                                             Fint* ierror) {
  Completing watch(requests, *count);
  *indx = MPI_UNDEFINED;
  put(ierror, STARLING_UPPER(Request_get_status_any)(*count, Request::In(requests, *count), indx, flag, status_of(status)));
  one_done(watch, indx, *flag);
}
STARLING_NAMES(request_get_status_any, REQUEST_GET_STATUS_ANY)
STARLING_NAMES_F08(request_get_status_any)

void STARLING_LOWER(request_get_status_some_)(const Fint* incount, const Fint* requests, Fint* outcount, Fint* indices,
                                              Fint* statuses, Fint* ierror) {
  Completing watch(requests, *incount);
  const int code = STARLING_UPPER(Request_get_status_some)(*incount, Request::In(requests, *incount), outcount, indices,
                                                           statuses_of(statuses));
  some_done(watch, code, *outcount, indices);
  put(ierror, code);
}
STARLING_NAMES(request_get_status_some, REQUEST_GET_STATUS_SOME)
STARLING_NAMES_F08(request_get_status_some)

void STARLING_LOWER(start_)(Fint* request, Fint* ierror) {
  started(request, 1);
  put(ierror, STARLING_UPPER(Start)(Request::InOut(request, 1)));
}
STARLING_NAMES(start, START)
STARLING_NAMES_F08(start)

void STARLING_LOWER(startall_)(const Fint* count, Fint* requests, Fint* ierror) {
  started(requests, *count);
  put(ierror, STARLING_UPPER(Startall)(*count, Request::InOut(requests, *count)));
}
STARLING_NAMES(startall, STARTALL)
STARLING_NAMES_F08(startall)

void STARLING_LOWER(request_free_)(Fint* request, Fint* ierror) {
  forgotten(request);
  put(ierror, STARLING_UPPER(Request_free)(Request::InOut(request, 1)));
}
STARLING_NAMES(request_free, REQUEST_FREE)
STARLING_NAMES_F08(request_free)

}  // extern "C"
