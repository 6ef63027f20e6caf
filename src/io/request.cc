// SPDX-License-Identifier: BSD-3-Clause
// The blocking form and the requests of accesses.
#include <new>
#include <utility>

#include "coll/drive.h"
#include "io/collective.h"

namespace starling::io {

namespace {

// A collective access under way.
struct Pending : coll::TaskOwner {
  Pending(std::unique_ptr<Access> a, Request& r)
      : TaskOwner{&ended_},
        access(std::move(a)),
        request(r),
        run(*access->file->comm->worker, coll::next_tag(*access->file->comm, false), false),
        c(run, *access->file->comm) {}

  static void ended_(TaskOwner& self);
  void collect();

  std::unique_ptr<Access> access;
  Request& request;
  coll::Run run;
  coll::Ctx c;
  coll::Task task;
};

struct FileRequest : Request {
  std::unique_ptr<Pending> pending;
};

// Progress is no place for exceptions: an error becomes the outcome of the request.
void Pending::collect() {
  try {
    task.collect();
    coll::check(run);
    access->finish();
  } catch (const Error& error) {
    access->error = error;
  } catch (const std::bad_alloc&) {
    access->error = {kErrNoMem, "out of memory"};
  }
}

void Pending::ended_(TaskOwner& self) {
  auto& pending = static_cast<Pending&>(self);
  pending.collect();
  Request& request = pending.request;
  request.status = pending.access->status();
  request.status.error = pending.access->error.error_class;
  if (request.status.error != kSuccess) request.error_text = pending.access->error.message.c_str();
  p2p::complete(request);  // may end the life of what is pending
}

Ref<FileRequest> make(const RequestOps& ops, File& file) {
  Ref<FileRequest> request = Ref<FileRequest>::adopt(p2p::make_request<FileRequest>(ops, *file.comm->worker, file.comm.get()));
  request->reporter = &file;
  return request;
}

}  // namespace

void run_together(Access& access) {
  Comm& comm = *access.file->comm;
  coll::Run run(*comm.worker, coll::next_tag(comm, true), true);
  const coll::Ctx c(run, comm);
  coll::Task task = access_together(c, &access);
  task.start(nullptr);
  task.collect();
  coll::check(run);
  access.finish();
}

Request* start_together(const RequestOps& ops, std::unique_ptr<Access> access) {
  Ref<FileRequest> request = make(ops, *access->file);
  request->pending = std::make_unique<Pending>(std::move(access), *request);
  Pending& pending = *request->pending;
  pending.task = access_together(pending.c, pending.access.get());
  pending.task.start(&pending);
  return request.leak();
}

Request* completed(const RequestOps& ops, Access& access) {
  Ref<FileRequest> request = make(ops, *access.file);
  request->status = access.status();
  request->complete = true;
  return request.leak();
}

void destroy_request(Request& request) { p2p::recycle(static_cast<FileRequest&>(request)); }

}  // namespace starling::io
