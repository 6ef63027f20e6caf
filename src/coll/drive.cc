// SPDX-License-Identifier: BSD-3-Clause
#include "coll/drive.h"

#include "base/error.h"

namespace starling {

namespace coll {

namespace {

const char* explain(int error_class) {
  return error_class == kErrTruncate
             ? "a process sent more than another one expected: the counts or types of the processes do not match"
             : "a message of the operation failed";
}

}  // namespace

void fail_run(const Run& run) { fail(run.error, "%s", explain(run.error)); }

void Job::start() {
  run_.error = kSuccess;
  task_ = make();
  // Where the others are waiting already the whole operation may be done in its first step, which is what a helper is for. All
  // are made ready then, not only long ones, so that they begin in the order of the calls.
  if (run_.worker.has_helper()) {
    run_.worker.make_ready(task_.prepare(this));
  } else {
    task_.start(this);
  }
}

// Progress is no place for exceptions: an error becomes the outcome of the request.
void Job::ended_(TaskOwner& self) {
  Job& job = static_cast<Job&>(self);
  Request& request = job.request_;
  request.status = Status{};
  request.error_text = nullptr;
  try {
    job.task_.collect();
    request.status.error = job.run_.error;
  } catch (const Error& error) {
    request.status.error = error.error_class;
  } catch (const std::bad_alloc&) {
    request.status.error = kErrNoMem;
  }
  if (request.status.error != kSuccess) request.error_text = explain(request.status.error);
  p2p::complete(request);  // may end the life of the job
}

void start_request(Request& request) { static_cast<CollRequest&>(request).job->start(); }

void destroy_request(Request& request) { p2p::recycle(static_cast<CollRequest&>(request)); }

}  // namespace coll
}  // namespace starling
