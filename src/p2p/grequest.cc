// SPDX-License-Identifier: BSD-3-Clause
// Generalized requests (MPI 5.0 section 13.2): the user's own operations behind an MPI request.
#include <utility>

#include "base/error.h"
#include "p2p/entry.gen.h"
#include "p2p/p2p.h"
#include "p2p/request.h"

namespace starling::p2p {

namespace {

struct GeneralizedRequest : Request {
  Callback query;
  Callback free;
  Callback cancel;
  void* extra = nullptr;
};

GeneralizedRequest& of(Request& request) { return static_cast<GeneralizedRequest&>(request); }

void query(Request& r) {
  auto& request = of(r);
  request.status = Status{};
  if (!request.query) return;
  if (int error = request.query.abi->grequest_query(request.query.function, request.extra, request.status); error != kSuccess)
    request.status.error = error;
}

void cancel(Request& r) {
  auto& request = of(r);
  if (!request.cancel) return;
  if (int error = request.cancel.abi->grequest_cancel(request.cancel.function, request.extra, request.complete);
      error != kSuccess)
    fail(error, "the cancel function of the generalized request failed");
}

// Calls the user's free function, once; the first error counts.
void retire(Request& r) {
  auto& request = of(r);
  const Callback free = std::exchange(request.free, {});
  if (!free) return;
  const int error = free.abi->grequest_free(free.function, request.extra);
  if (error != kSuccess && request.status.error == kSuccess) request.status.error = error;
}

void destroy_generalized(Request& r) {
  retire(r);  // if MPI_Request_free ends it
  recycle(of(r));
}

constexpr RequestOps kGeneralizedOps{"MPI_Grequest_start", nullptr, &cancel, &query, &destroy_generalized, &retire};

}  // namespace

void grequest_start(Callback query_fn, Callback free_fn, Callback cancel_fn, void* extra_state, Request*& request) {
  Worker* worker = process_worker();
  if (!worker) fail(kErrOther, "the library is not initialized");
  auto* r = make_request<GeneralizedRequest>(kGeneralizedOps, *worker, nullptr);
  r->query = query_fn;
  r->free = free_fn;
  r->cancel = cancel_fn;
  r->extra = extra_state;
  request = r;
}

void grequest_complete(Request& request) {
  if (request.ops != &kGeneralizedOps) fail(kErrRequest, "the request is not a generalized request");
  if (request.complete) fail(kErrRequest, "the generalized request is complete already");
  p2p::complete(request);
}

}  // namespace starling::p2p
