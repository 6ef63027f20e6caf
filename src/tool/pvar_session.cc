// SPDX-License-Identifier: BSD-3-Clause
#include "tool/pvar_session.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "boot/runtime.h"
#include "object/comm.h"
#include "p2p/p2p.h"
#include "rma/win.h"
#include "tool/registry.h"

namespace starling::tool {

namespace {

constexpr double kNanoseconds = 1e9;

Registry<PvarSession>& sessions() {
  static auto& immortal = *new Registry<PvarSession>;
  return immortal;
}
Registry<PvarHandle>& handles() {
  static auto& immortal = *new Registry<PvarHandle>;
  return immortal;
}

bool is_highest(const PvarHandle& handle) { return handle.pvar->of_class == PvarClass::kHighWatermark; }

// The library keeps one highest value, which is taken (and begins anew) for all handles at once.
void spread_highest() {
  if (!runtime().worker) return;
  const std::uint64_t most = p2p::take_most_unexpected(*runtime().worker);
  for (const auto& handle : handles())
    if (is_highest(*handle) && handle->running) handle->value = std::max(handle->value, most);
}

std::uint64_t now(const PvarHandle& handle) {
  const bool gone = (handle.pvar->bind == Bind::kComm && !comm_pool().find(handle.on)) ||
                    (handle.pvar->bind == Bind::kWin && !win_pool().find(handle.on));
  if (gone) fail(kTErrInvalidHandle, "the object that %s was bound to has been freed", handle.pvar->name.c_str());
  return handle.pvar->read(*handle.pvar, handle.on);
}

std::uint64_t value_of(PvarHandle& handle) {
  if (handle.pvar->continuous()) return now(handle);
  if (is_highest(handle)) spread_highest();
  if (!handle.pvar->is_sum() || !handle.running) return handle.value;
  return handle.value + (now(handle) - handle.base);
}

// Makes `value` what the handle shows from now on.
void set(PvarHandle& handle, std::uint64_t value) {
  if (handle.pvar->continuous()) fail(kTErrPvarNoWrite, "%s cannot be written", handle.pvar->name.c_str());
  if (is_highest(handle)) spread_highest();
  if (handle.pvar->is_sum() && handle.running) handle.base = now(handle);
  handle.value = value;
}

void require_startable(const PvarHandle& handle) {
  if (handle.pvar->continuous()) fail(kTErrPvarNoStartstop, "%s is always running", handle.pvar->name.c_str());
}

template <class Action>
void for_all(const PvarSession& session, Action action) {
  for (const auto& handle : handles())
    if (handle->session == &session && !handle->pvar->continuous()) action(*handle);
}

}  // namespace

PvarSession& make_session() { return sessions().add(std::make_unique<PvarSession>()); }
PvarSession& pvar_session(const void* handle) {
  return sessions().get(handle, kTErrInvalidSession, "session of performance variables");
}
void free_session(PvarSession& session) {
  handles().erase_where([&](const PvarHandle& handle) { return handle.session == &session; });
  sessions().erase(session);
}
void free_pvar_sessions() {
  handles().clear();
  sessions().clear();
}

PvarHandle& make_handle(PvarSession& session, const Pvar& pvar, const Object* on) {
  return handles().add(std::make_unique<PvarHandle>(PvarHandle{&session, &pvar, on, pvar.continuous()}));
}
PvarHandle& pvar_handle(const PvarSession& session, const void* handle) {
  PvarHandle& found = handles().get(handle, kTErrInvalidHandle, "handle of a performance variable");
  if (found.session != &session) fail(kTErrInvalidHandle, "the handle belongs to another session");
  return found;
}
void free_handle(PvarHandle& handle) { handles().erase(handle); }

void start(PvarHandle& handle) {
  require_startable(handle);
  if (handle.running) return;
  if (is_highest(handle)) spread_highest();
  handle.base = now(handle);
  if (is_highest(handle)) handle.value = std::max(handle.value, handle.base);
  handle.running = true;
}

void stop(PvarHandle& handle) {
  require_startable(handle);
  handle.value = value_of(handle);
  handle.running = false;
}

void reset(PvarHandle& handle) { set(handle, is_highest(handle) && handle.running ? now(handle) : 0); }

void read(PvarHandle& handle, void* buffer) {
  const std::uint64_t value = value_of(handle);
  switch (handle.pvar->type()) {
    case Type::kInt: {
      const int narrow = static_cast<int>(value);
      std::memcpy(buffer, &narrow, sizeof narrow);
      break;
    }
    case Type::kDouble: {
      const double seconds = static_cast<double>(value) / kNanoseconds;
      std::memcpy(buffer, &seconds, sizeof seconds);
      break;
    }
    default:
      std::memcpy(buffer, &value, sizeof value);
  }
}

void write(PvarHandle& handle, const void* buffer) {
  std::uint64_t value = 0;
  if (handle.pvar->type() == Type::kDouble) {
    double seconds;
    std::memcpy(&seconds, buffer, sizeof seconds);
    value = static_cast<std::uint64_t>(std::max(seconds, 0.0) * kNanoseconds);
  } else {
    std::memcpy(&value, buffer, bytes_of(handle.pvar->type()));
  }
  set(handle, value);
}

void start_all(const PvarSession& session) {
  for_all(session, [](PvarHandle& handle) { start(handle); });
}
void stop_all(const PvarSession& session) {
  for_all(session, [](PvarHandle& handle) { stop(handle); });
}
void reset_all(const PvarSession& session) {
  for_all(session, [](PvarHandle& handle) { reset(handle); });
}

}  // namespace starling::tool
