// SPDX-License-Identifier: BSD-3-Clause
#include "tool/interface.h"

#include "base/constants.gen.h"
#include "base/error.h"
#include "tool/cvars.h"
#include "tool/event_registration.h"
#include "tool/pvar_session.h"

namespace starling::tool {

namespace {

int users = 0;

}  // namespace

std::recursive_mutex& mutex() {
  static auto& immortal = *new std::recursive_mutex;  // tools may finalize after main
  return immortal;
}

void initialize() { ++users; }

void finalize() {
  if (--users > 0) return;
  free_cvar_handles();
  free_pvar_sessions();
  free_registrations();
}

void require_initialized() {
  if (users == 0) fail(kTErrNotInitialized, "the tool interface is not initialized");
}

}  // namespace starling::tool
