// SPDX-License-Identifier: BSD-3-Clause
// Sessions and handles of performance variables (MPI 5.0, 15.3.7). A handle has its own view of the variable: tools that start,
// stop and reset the same one do not disturb each other, because the library itself only ever counts on.
#pragma once

#include <cstdint>

#include "tool/pvars.h"

namespace starling::tool {

struct PvarSession {};

struct PvarHandle {
  PvarSession* session;
  const Pvar* pvar;
  const Object* on;         // what it is bound to; nullptr: nothing
  bool running = false;     // continuous variables: always
  std::uint64_t base = 0;   // of a sum: the library's value when the handle was started
  std::uint64_t value = 0;  // of a sum: what it had until then; of a highest value: the highest so far
};

PvarSession& make_session();
PvarSession& pvar_session(const void* handle);  // throws Error(kTErrInvalidSession)
void free_session(PvarSession& session);        // and its handles
void free_pvar_sessions();

PvarHandle& make_handle(PvarSession& session, const Pvar& pvar, const Object* on);
// Throws Error(kTErrInvalidHandle), also for a handle of another session.
PvarHandle& pvar_handle(const PvarSession& session, const void* handle);
void free_handle(PvarHandle& handle);

// Throw Error(kTErrPvarNoStartstop), Error(kTErrPvarNoWrite), and Error(kTErrInvalidHandle) if the object is gone.
void start(PvarHandle& handle);
void stop(PvarHandle& handle);
void reset(PvarHandle& handle);
void read(PvarHandle& handle, void* buffer);
void write(PvarHandle& handle, const void* buffer);

// Applies `action` to all handles of a session that allow it.
void start_all(const PvarSession& session);
void stop_all(const PvarSession& session);
void reset_all(const PvarSession& session);

}  // namespace starling::tool
