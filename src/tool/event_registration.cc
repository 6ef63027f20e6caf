// SPDX-License-Identifier: BSD-3-Clause
#include "tool/event_registration.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/constants.gen.h"
#include "base/error.h"
#include "tool/interface.h"
#include "tool/registry.h"

namespace starling::tool {

namespace {

Registry<Registration>& registrations() {
  static auto& immortal = *new Registry<Registration>;
  return immortal;
}

Instance* passing_on = nullptr;  // guarded by the mutex of the interface

// The callback for what requires `least`: the one with the weakest guarantee that is enough.
Safety chosen(Registration& registration, Safety least) {
  auto safety = static_cast<std::size_t>(least);
  while (safety < registration.callbacks.size() && !registration.callbacks[safety].function) ++safety;
  return static_cast<Safety>(safety);
}

void tell_dropped(Registration& registration, Safety safety) {
  if (registration.dropped == 0 || !registration.dropped_handler || registration.freed) return;
  const std::int64_t count = std::exchange(registration.dropped, 0);
  const Safety level = chosen(registration, safety);
  void* user_data = level == Safety::kCount_ ? nullptr : registration.at(level).user_data;
  registration.dropped_abi->dropped(registration.dropped_handler, count, registration, safety, user_data);
}

void pass_on(Registration& registration, Instance& event) {
  const Safety level = chosen(registration, Safety::kRestricted);
  if (level == Safety::kCount_) {
    ++registration.dropped;
    return;
  }
  tell_dropped(registration, Safety::kRestricted);
  if (registration.freed) return;
  const Registration::Callback& callback = registration.at(level);
  callback.abi->event(callback.function, event, registration, Safety::kRestricted, callback.user_data);
}

void sink(events::Kind kind, const events::Elements& elements) {
  const std::lock_guard guard(mutex());
  const EventType& type = event_types()[static_cast<std::size_t>(kind)];
  if (passing_on) {  // caused by a callback
    for (const auto& registration : registrations()) registration->dropped += registration->type == &type;
    return;
  }
  Instance event{&type, elements, timestamp()};
  passing_on = &event;
  // By index: callbacks may make and free registrations.
  for (std::size_t i = 0; i < registrations().size(); ++i)
    if (Registration& registration = registrations()[i]; registration.type == &type && !registration.freed)
      pass_on(registration, event);
  passing_on = nullptr;
  registrations().erase_where([](const Registration& registration) { return registration.freed; });
}

// Nobody pays for events when there is nobody to hear of them.
void open_or_close_sink() {
  const bool wanted = std::any_of(registrations().begin(), registrations().end(), [](const auto& r) { return !r->freed; });
  events::the_sink.store(wanted ? &sink : nullptr, std::memory_order_release);
}

}  // namespace

Registration& make_registration(const EventType& type, Ref<Info> info) {
  auto made = std::make_unique<Registration>();
  made->type = &type;
  made->info = std::move(info);
  Registration& result = registrations().add(std::move(made));
  open_or_close_sink();
  return result;
}

Registration& registration(const void* handle) {
  Registration& found = registrations().get(handle, kTErrInvalidHandle, "registration for an event");
  if (found.freed) fail(kTErrInvalidHandle, "the registration has been freed");
  return found;
}

void set_callback(Registration& registration, Safety safety, Registration::Callback callback) {
  registration.at(safety) = std::move(callback);
}

void free_registration(Registration& registration) {
  registration.freed = true;
  if (!passing_on) registrations().erase(registration);
  open_or_close_sink();
}

void free_registrations() {
  for (const auto& registration : registrations()) registration->freed = true;
  if (!passing_on) registrations().clear();
  open_or_close_sink();
}

Instance& instance(const void* handle) {
  if (!passing_on || handle != passing_on) fail(kTErrInvalidHandle, "not an event that is being passed on");
  return *passing_on;
}

void read(const Instance& instance, int element, void* buffer) {
  if (element < 0 || static_cast<std::size_t>(element) >= instance.type->elements.size())
    fail(kTErrInvalidItem, "the event has no element %d", element);
  const auto index = static_cast<std::size_t>(element);
  const std::int64_t value = instance.elements[index];
  if (instance.type->elements[index] == Type::kInt) {
    const int narrow = static_cast<int>(value);
    std::memcpy(buffer, &narrow, sizeof narrow);
  } else {
    std::memcpy(buffer, &value, sizeof value);
  }
}

void copy(const Instance& instance, void* buffer) {
  std::memset(buffer, 0, instance.type->bytes());
  for (std::size_t i = 0; i < instance.type->elements.size(); ++i)
    read(instance, static_cast<int>(i), static_cast<std::byte*>(buffer) + instance.type->displacement(i));
}

void tell_dropped() {
  if (passing_on) return;
  for (std::size_t i = 0; i < registrations().size(); ++i) tell_dropped(registrations()[i], Safety::kNone);
}

}  // namespace starling::tool
