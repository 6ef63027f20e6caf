// SPDX-License-Identifier: BSD-3-Clause
// Request: what MPI_Wait and MPI_Test look at (MPI 5.0 section 3.7). Every non-blocking or persistent thing is one.
//
// All kinds of request live in slots of one size. Thread-safety: lock of the request's worker; only find_request
// and request_at may be called without it, and the completion be looked at.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "base/types.h"
#include "object/comm.h"
#include "object/object.h"
#include "object/status.h"

namespace starling {

struct Request;

// What kinds of request do differently. A table per kind (send, recv, collective, generalized, partitioned).
struct RequestOps {
  const char* name;          // for messages: "MPI_Isend" ...
  void (*start)(Request&);   // MPI_Start; nullptr: not persistent. `active` is set, `complete` cleared before
  void (*cancel)(Request&);  // MPI_Cancel of an active request; nullptr: has no effect
  // Called when the status of a complete request is asked for: fills the status (generalized requests query the user).
  void (*finish)(Request&);   // nullptr: status is already right
  void (*destroy)(Request&);  // releases what the derived request owns and ends with p2p::recycle
  // Called once by MPI_Wait or MPI_Test before a request that is not persistent goes away; may change the status.
  void (*retire)(Request&) = nullptr;
};

// Whether a request is complete: set under the lock of its worker, looked at by anybody. Who finds it set sees what was written
// before, and takes the worker's lock for what comes then.
class Completion {
 public:
  operator bool() const { return set_.load(std::memory_order_acquire); }
  Completion& operator=(bool set) {
    set_.store(set, std::memory_order_release);
    return *this;
  }

 private:
  std::atomic<bool> set_{false};
};

struct Request : Object {
  const RequestOps* ops = nullptr;
  Comm* comm = nullptr;        // whose error handler reports; retained; nullptr for generalized requests
  Object* reporter = nullptr;  // whose error handler reports instead: a file, which outlives its requests
  Worker* worker = nullptr;    // that drives it
  Completion complete;         // set by progress
  bool persistent = false;
  bool active = true;  // a persistent request that is not started is inactive
  bool freed = false;  // MPI_Request_free was called: goes away when complete
  Status status;       // valid when complete; status.error is the operation's error class
  const char* error_text = nullptr;
};

void destroy(Request& request);

namespace p2p {

inline constexpr std::size_t kRequestBytes = 384;  // of a slot

// The slots of one worker: those that are free go back to it, so that workers do not meet.
struct RequestSlots {
  void* free = nullptr;  // linked
  std::size_t live = 0;
  std::uint64_t begun = 0;

  RequestSlots() = default;
  ~RequestSlots();  // gives them to whoever comes next
  RequestSlots(const RequestSlots&) = delete;
  RequestSlots& operator=(const RequestSlots&) = delete;
};
// Raw slots. Memory is never given back (a stale handle must stay readable).
void* take_request_slot(Worker& worker, std::uint32_t& index);
// Ends the life of a request whose destructor has run: its slot is free.
void free_request_slot(Worker& worker, void* slot);

// Makes a request of type R (derived from Request) with one reference, the user's handle. `comm` (or nullptr) is retained.
template <class R>
R* make_request(const RequestOps& ops, Worker& worker, Comm* comm) {
  static_assert(sizeof(R) <= kRequestBytes && alignof(R) <= kCacheLine);
  std::uint32_t index;
  void* slot = take_request_slot(worker, index);
  R* request = new (slot) R;
  request->kind = Kind::kRequest;
  request->index = index;
  request->ops = &ops;
  request->worker = &worker;
  request->comm = retain(comm);
  return request;
}
// The end of RequestOps::destroy.
template <class R>
void recycle(R& request) {
  Worker& worker = *request.worker;
  request.~R();
  free_request_slot(worker, &request);
}

// A request to `complete` from progress: sets the flag and frees it if the user has already let go of it.
void complete(Request& request);

// The live request behind a handle of the user, or nullptr.
Request* find_request(const void* handle);
Request* request_at(std::uint32_t index);
// For the helper thread (progress/helper.h): whether a request is active and not complete, and how often one has become active
// on home.
bool any_under_way();
std::uint64_t requests_begun();
// To be called when a persistent request is started.
void note_begin(Request& request);
// Requests of the user that are alive; for a thread that holds home. For the leak report.
std::size_t live_requests(const Worker& home);

// MPI_Wait on the core level: returns when complete, moves the status out, and frees the request (returns true) or, for a
// persistent one, makes it inactive (returns false).
bool wait(Request& request, Status& status);
// MPI_Test: false if not complete.
bool test(Request& request, Status& status, bool& freed);
// MPI_Request_get_status: makes progress and tells whether it is complete; the request stays as it is.
bool get_status(Request& request, Status& status);

// A send that is complete: one request for all, so that a short MPI_Isend costs no object. Never freed.
Request* completed_send();

}  // namespace p2p
}  // namespace starling
