// SPDX-License-Identifier: BSD-3-Clause
// MPI_Comm_idup: a Duplication that progress drives.
#include <memory>

#include "base/error.h"
#include "comm/dup.h"
#include "comm/entry.gen.h"
#include "p2p/request.h"
#include "progress/worker.h"

namespace starling::comm {

namespace {

struct DupRequest : Request {
  std::unique_ptr<Duplication> duplication;  // until it is complete
};

bool poll(void* self);

Poller poller_of(DupRequest& request) { return {poll, &request}; }

// Called from progress, which is no place for exceptions: an error becomes the outcome of the request.
bool advance(DupRequest& request) {
  try {
    if (!request.duplication->step()) return false;
  } catch (const Error& error) {
    request.status.error = error.error_class;
  }
  request.duplication.reset();
  return true;
}

bool poll(void* self) {
  auto& request = *static_cast<DupRequest*>(self);
  if (!advance(request)) return false;
  request.worker->remove_poller(poller_of(request));
  p2p::complete(request);
  return true;
}

void destroy_request(Request& request) { p2p::recycle(static_cast<DupRequest&>(request)); }

constexpr RequestOps kOps{"MPI_Comm_idup", nullptr, nullptr, nullptr, destroy_request};

}  // namespace

void comm_idup(Comm& comm, Comm*& newcomm, Request*& request) {
  auto duplication = std::make_unique<Duplication>(comm);
  auto* made = p2p::make_request<DupRequest>(kOps, *comm.worker, &comm);
  newcomm = retain(&duplication->made());
  made->duplication = std::move(duplication);
  if (advance(*made))
    made->complete = true;
  else
    comm.worker->add_poller(poller_of(*made));
  request = made;
}

void comm_idup_with_info(Comm& comm, Info* info, Comm*& newcomm, Request*& request) {
  comm_idup(comm, newcomm, request);
  newcomm->info = known_hints(info);
}

}  // namespace starling::comm
