// SPDX-License-Identifier: BSD-3-Clause
// Who hears of which events (MPI 5.0, 15.3.8).
//
// Events happen in the midst of progress, where the user may call hardly anything: callbacks that are registered for
// MPI_T_CB_REQUIRE_MPI_RESTRICTED or a stricter level are called at once; with others alone, the event is dropped and counted.
// The handler of dropped events hears of them before the next callback, or during the next call of the tool interface. Events
// that a callback causes are dropped likewise.
#pragma once

#include <array>
#include <cstdint>

#include "object/info.h"
#include "tool/event_types.h"

namespace starling::tool {

// How much a callback must put up with, in the order of MPI_T_CB_REQUIRE_*.
enum class Safety : unsigned char { kNone, kRestricted, kThreadSafe, kSignalSafe, kCount_ };

struct Registration;

// One event, alive during the callbacks.
struct Instance {
  const EventType* type;
  events::Elements elements;
  std::int64_t time;
};

// How callbacks of a user are called: one for each ABI.
struct EventAbi {
  void (*event)(void* function, Instance& instance, Registration& registration, Safety safety, void* user_data);
  void (*dropped)(void* function, std::int64_t count, Registration& registration, Safety safety, void* user_data);
  void (*freed)(void* function, Registration& registration, Safety safety, void* user_data);
};

struct Registration {
  const EventType* type;
  Ref<Info> info;
  struct Callback {
    void* function = nullptr;
    void* user_data = nullptr;
    const EventAbi* abi = nullptr;
    Ref<Info> info;
  };
  std::array<Callback, static_cast<std::size_t>(Safety::kCount_)> callbacks;
  void* dropped_handler = nullptr;
  const EventAbi* dropped_abi = nullptr;
  std::int64_t dropped = 0;
  bool freed = false;  // by a callback; goes away when the event has been passed on

  Callback& at(Safety safety) { return callbacks[static_cast<std::size_t>(safety)]; }
};

Registration& make_registration(const EventType& type, Ref<Info> info);
Registration& registration(const void* handle);  // throws Error(kTErrInvalidHandle)
void set_callback(Registration& registration, Safety safety, Registration::Callback callback);
void free_registration(Registration& registration);
void free_registrations();

Instance& instance(const void* handle);  // of the event that is being passed on; throws Error(kTErrInvalidHandle)
// One element, in its type. Throws Error(kTErrInvalidItem).
void read(const Instance& instance, int element, void* buffer);
void copy(const Instance& instance, void* buffer);  // EventType::bytes()

// Tells the handlers of dropped events, where everything is allowed.
void tell_dropped();

}  // namespace starling::tool
