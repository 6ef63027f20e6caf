// SPDX-License-Identifier: BSD-3-Clause
#include "abi/entry/completion.h"

#include <algorithm>

#include "object/error_text.h"
#include "progress/worker.h"

namespace starling::abi {

namespace {

constexpr Argument kRequests{"array_of_requests", 2};

// The request behind a handle; nullptr for MPI_REQUEST_NULL.
Request* request_of(MPI_Request handle, Argument argument) { return decode_or_null<Request>(handle, argument); }

bool is_active(const Request* request) { return request && request->active; }
bool is_complete(const Request* request) { return !is_active(request) || request->complete; }

MPI_Status* at(MPI_Status* statuses, int i) { return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + i; }

// What to report of a request that failed, taken before the request goes away.
Error error_of(const Request& request) {
  const int error = request.status.error;
  return {error, request.error_text ? request.error_text : object::error_text(error)};
}

// The empty status (MPI 5.0, 3.7.3), the only one that also sets MPI_ERROR outside of arrays.
void put_empty(MPI_Status* status) {
  put_status(Status{}, status);
  if (!ignored(status)) put_error(MPI_SUCCESS, status);
}

// Takes the outcome of a request that is complete: hands out the status, frees the request or makes it inactive, and returns
// the class of its error. On an error `error` and the call's error handler are set; `keep` holds the communicator that has it.
int take(Call& call, MPI_Request& handle, MPI_Status* status, Error& error, Ref<Comm>& keep) {
  Request* request = in<Request>(handle);
  if (!is_active(request)) {
    put_empty(status);
    return kSuccess;
  }
  call.hold(*request);
  const bool failed = request->status.error != kSuccess;
  if (failed) [[unlikely]] {
    error = error_of(*request);
    keep = Ref<Comm>(request->comm);
    call.on(request->reporter ? request->reporter : request->comm);
  }
  Status outcome;
  if (p2p::wait(*request, outcome)) handle = out<Request>(nullptr);
  put_status(outcome, status);
  if (outcome.error != kSuccess && !failed)
    error = {outcome.error, object::error_text(outcome.error)};  // a user's query function
  return outcome.error;
}

// The same for functions with one status: reports the error.
int take_one(Call& call, MPI_Request& handle, MPI_Status* status) {
  Error error;
  Ref<Comm> keep;
  return take(call, handle, status, error, keep) == kSuccess ? MPI_SUCCESS : call.failed(error);
}

// For functions with an array of statuses: remembers that one failed; the code of the call is then MPI_ERR_IN_STATUS.
class Outcomes {
 public:
  explicit Outcomes(Call& call) : call_(call) {}
  void take_into(MPI_Request& handle, MPI_Status* status) {
    Error error;
    Ref<Comm> keep;
    const int code = take(call_, handle, status, error, keep);
    if (!ignored(status)) put_error(code == kSuccess ? MPI_SUCCESS : call_.code_of(error), status);
    if (code == kSuccess || failed_) return;
    failed_ = true;
    first_ = std::move(error);
    keep_ = std::move(keep);
  }
  int code() {
    if (!failed_) [[likely]]
      return MPI_SUCCESS;
    call_.on(keep_.get());
    return call_.failed({kErrInStatus, "an operation failed: " + first_.message});
  }

 private:
  Call& call_;
  bool failed_ = false;
  Error first_{kSuccess, {}};
  Ref<Comm> keep_;
};

void check_requests(int count, const MPI_Request* requests) {
  nonnegative(count, kErrCount, {"count", 1});
  array(requests, count, kRequests);
  for (int i = 0; i < count; ++i) request_of(requests[i], kRequests);
}

bool all_complete(int count, const MPI_Request* requests) {
  for (int i = 0; i < count; ++i)
    if (!is_complete(in<Request>(requests[i]))) return false;
  return true;
}

constexpr int kNone = -1;  // requests are active, none is complete
constexpr int kNoneActive = -2;

// The first active request that is complete.
int first_complete(int count, const MPI_Request* requests) {
  int answer = kNoneActive;
  for (int i = 0; i < count; ++i) {
    const Request* request = in<Request>(requests[i]);
    if (!is_active(request)) continue;
    if (request->complete) return i;
    answer = kNone;
  }
  return answer;
}

void wait_for(Call& call, const Request& request) {
  call.hold(request);
  request.worker->wait([&request]() -> bool { return request.complete; });
}

// Lets each worker that has one of the requests look once.
void look(Call& call, int count, const MPI_Request* requests) {
  std::uint32_t looked = 0;  // a bit for each
  for (int i = 0; i < count; ++i) {
    const Request* request = in<Request>(requests[i]);
    if (is_complete(request) || looked >> request->worker->number() & 1) continue;
    looked |= std::uint32_t{1} << request->worker->number();
    call.hold(*request);
    request->worker->look();
  }
}

int first_complete_now(Call& call, int count, const MPI_Request* requests) {
  const int found = first_complete(count, requests);
  if (found != kNone) return found;
  look(call, count, requests);
  return first_complete(count, requests);
}

// Waits with the worker of the first request, which looks after the others as well.
int wait_for_first(Call& call, int count, const MPI_Request* requests) {
  int found = first_complete(count, requests);
  if (found != kNone) return found;
  const Request* first =
      in<Request>(*std::find_if(requests, requests + count, [](MPI_Request handle) { return is_active(in<Request>(handle)); }));
  call.hold(*first);
  first->worker->wait([&] { return (found = first_complete(count, requests)) != kNone; });
  return found;
}

// Takes every request that is complete, from the first one on.
int take_some(Call& call, int first, int count, MPI_Request* requests, int* outcount, int* indices, MPI_Status* statuses) {
  Outcomes outcomes(call);
  int taken = 0;
  for (int i = first; i < count; ++i) {
    const Request* request = in<Request>(requests[i]);
    if (!is_active(request) || !request->complete) continue;
    outcomes.take_into(requests[i], at(statuses, taken));
    indices[taken++] = i;
  }
  *outcount = taken;
  return outcomes.code();
}

void check_places(int* outcount, int* indices, int incount) {
  writable(outcount, {"outcount", 3});
  array(indices, incount, {"array_of_indices", 4});
}

}  // namespace

int wait(Call& call, MPI_Request* request, MPI_Status* status) {
  const Argument argument{"request", 1};
  const Request* waited = request_of(writable(request, argument), argument);
  if (!is_complete(waited)) wait_for(call, *waited);
  return take_one(call, *request, status);
}

int waitall(Call& call, int count, MPI_Request* requests, MPI_Status* statuses) {
  check_requests(count, requests);
  for (int i = 0; i < count; ++i) {
    const Request* request = in<Request>(requests[i]);
    if (!is_complete(request)) wait_for(call, *request);
  }
  Outcomes outcomes(call);
  for (int i = 0; i < count; ++i) outcomes.take_into(requests[i], at(statuses, i));
  return outcomes.code();
}

int waitany(Call& call, int count, MPI_Request* requests, int* index, MPI_Status* status) {
  check_requests(count, requests);
  writable(index, {"index", 3});
  const int found = wait_for_first(call, count, requests);
  *index = found < 0 ? MPI_UNDEFINED : found;
  if (found >= 0) return take_one(call, requests[found], status);
  put_empty(status);
  return MPI_SUCCESS;
}

int waitsome(Call& call, int incount, MPI_Request* requests, int* outcount, int* indices, MPI_Status* statuses) {
  check_requests(incount, requests);
  check_places(outcount, indices, incount);
  const int found = wait_for_first(call, incount, requests);
  if (found >= 0) return take_some(call, found, incount, requests, outcount, indices, statuses);
  *outcount = MPI_UNDEFINED;
  return MPI_SUCCESS;
}

int test(Call& call, MPI_Request* request, int* flag, MPI_Status* status) {
  const Argument argument{"request", 1};
  const Request* tested = request_of(writable(request, argument), argument);
  writable(flag, {"flag", 2}) = 0;
  if (!is_complete(tested)) {
    call.hold(*tested);
    tested->worker->look();
    if (!tested->complete) return MPI_SUCCESS;
  }
  *flag = 1;
  return take_one(call, *request, status);
}

int testall(Call& call, int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
  check_requests(count, requests);
  writable(flag, {"flag", 3}) = 0;
  if (!all_complete(count, requests)) {
    look(call, count, requests);
    if (!all_complete(count, requests)) return MPI_SUCCESS;
  }
  *flag = 1;
  Outcomes outcomes(call);
  for (int i = 0; i < count; ++i) outcomes.take_into(requests[i], at(statuses, i));
  return outcomes.code();
}

int testany(Call& call, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  check_requests(count, requests);
  writable(index, {"index", 3}) = MPI_UNDEFINED;
  writable(flag, {"flag", 4}) = 0;
  const int found = first_complete_now(call, count, requests);
  if (found == kNone) return MPI_SUCCESS;
  *flag = 1;
  if (found >= 0) {
    *index = found;
    return take_one(call, requests[found], status);
  }
  put_empty(status);
  return MPI_SUCCESS;
}

int testsome(Call& call, int incount, MPI_Request* requests, int* outcount, int* indices, MPI_Status* statuses) {
  check_requests(incount, requests);
  check_places(outcount, indices, incount);
  const int found = first_complete_now(call, incount, requests);
  if (found >= 0) return take_some(call, found, incount, requests, outcount, indices, statuses);
  *outcount = found == kNone ? 0 : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

namespace {

// Looks without touching the request; errors are in the status only.
bool status_of(Call& call, MPI_Request handle, Argument argument, Status& status) {
  Request* request = request_of(handle, argument);
  if (!is_active(request)) {
    status = Status{};
    return true;
  }
  call.hold(*request);
  return p2p::get_status(*request, status);
}

}  // namespace

int request_get_status(Call& call, MPI_Request request, int* flag, MPI_Status* status) {
  Status found;
  writable(flag, {"flag", 2}) = status_of(call, request, {"request", 1}, found);
  if (*flag) put_status(found, status);
  return MPI_SUCCESS;
}

int request_get_status_all(Call& call, int count, const MPI_Request* requests, int* flag, MPI_Status* statuses) {
  check_requests(count, requests);
  writable(flag, {"flag", 3}) = 1;
  for (int i = 0; i < count && *flag; ++i) {
    Status found;
    *flag = status_of(call, requests[i], kRequests, found);
    MPI_Status* place = at(statuses, i);
    if (!*flag || ignored(place)) continue;
    put_status(found, place);
    put_error(out_error(found.error), place);
  }
  return MPI_SUCCESS;
}

int request_get_status_any(Call& call, int count, const MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  check_requests(count, requests);
  writable(index, {"index", 3}) = MPI_UNDEFINED;
  writable(flag, {"flag", 4}) = 0;
  const int found = first_complete_now(call, count, requests);
  if (found == kNone) return MPI_SUCCESS;
  *flag = 1;
  if (found < 0) {
    put_empty(status);
    return MPI_SUCCESS;
  }
  *index = found;
  Status outcome;
  status_of(call, requests[found], kRequests, outcome);
  put_status(outcome, status);
  return MPI_SUCCESS;
}

int request_get_status_some(Call& call, int incount, const MPI_Request* requests, int* outcount, int* indices,
                            MPI_Status* statuses) {
  check_requests(incount, requests);
  check_places(outcount, indices, incount);
  const int first = first_complete_now(call, incount, requests);
  if (first == kNoneActive) {
    *outcount = MPI_UNDEFINED;
    return MPI_SUCCESS;
  }
  int found = 0;
  for (int i = 0; first >= 0 && i < incount; ++i) {
    const Request* request = in<Request>(requests[i]);
    if (!is_active(request) || !request->complete) continue;
    Status outcome;
    status_of(call, requests[i], kRequests, outcome);
    MPI_Status* place = at(statuses, found);
    put_status(outcome, place);
    if (!ignored(place)) put_error(out_error(outcome.error), place);
    indices[found++] = i;
  }
  *outcount = found;
  return MPI_SUCCESS;
}

namespace {

Request& startable(MPI_Request handle, Argument argument) {
  Request& request = decode<Request>(handle, argument);
  if (!request.persistent || !request.ops->start) bad(kErrRequest, argument, "is not persistent");
  if (request.active) bad(kErrRequest, argument, "is already active");
  return request;
}

void start(Request& request) {
  request.complete = false;
  request.active = true;
  p2p::note_begin(request);
  request.ops->start(request);
}

}  // namespace

int start(Call& call, MPI_Request* request) {
  const Argument argument{"request", 1};
  Request& started = startable(writable(request, argument), argument);
  call.hold(started);
  call.on(started.comm);
  start(started);
  return MPI_SUCCESS;
}

int startall(Call& call, int count, MPI_Request* requests) {
  nonnegative(count, kErrCount, {"count", 1});
  array(requests, count, kRequests);
  for (int i = 0; i < count; ++i) startable(requests[i], kRequests);
  for (int i = 0; i < count; ++i) {
    Request& request = *in<Request>(requests[i]);
    call.hold(request);
    call.on(request.comm);
    start(request);
  }
  return MPI_SUCCESS;
}

int test_cancelled(Call&, const MPI_Status* status, int* flag) {
  writable(flag, {"flag", 2}) = get_status(&writable(status, {"status", 1})).cancelled;
  return MPI_SUCCESS;
}

int status_set_cancelled(Call&, MPI_Status* status, int flag) {
  Status changed = get_status(&writable(status, {"status", 1}));
  changed.cancelled = flag != 0;
  put_status(changed, status);
  return MPI_SUCCESS;
}

}  // namespace starling::abi
