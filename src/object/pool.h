// SPDX-License-Identifier: BSD-3-Clause
// Pool<T>: where all objects of one type live. One range of address space is reserved once; slots are handed out in
// order and reused last-in first-out, so a process pays only for the pages that it touches.
//
// Thread-safe. Never gives memory back (a stale handle must stay readable, to be rejected by its kind).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include "base/error.h"
#include "base/reserve.h"
#include "base/spinlock.h"
#include "object/object.h"

namespace starling {

template <class T, Kind kKind, std::size_t kMaxObjects = std::size_t{1} << 22>
class Pool {
 public:
  // Throws Error(kErrNoMem) when kMaxObjects are alive, or fewer where addresses are scarce. The object starts with one
  // reference, the caller's.
  template <class... Args>
  T* create(Args&&... args) {
    void* slot = take();
    T* object = new (slot) T(std::forward<Args>(args)...);
    object->kind = kKind;
    object->index = static_cast<std::uint32_t>(static_cast<Slot*>(slot) - slots_.load(std::memory_order_relaxed));
    live_.fetch_add(1, std::memory_order_relaxed);
    return object;
  }

  void destroy(T* object) {
    Slot* slot = reinterpret_cast<Slot*>(object);
    object->~T();
    object->kind = Kind::kFree;  // the head stays readable: a stale handle is recognised by it
    live_.fetch_sub(1, std::memory_order_relaxed);
    SpinGuard guard(lock_);
    slot->next_free() = free_;
    free_ = slot;
  }

  // The object behind a handle that a user passed, or nullptr if no live object of this pool is there.
  T* find(const void* handle) const {
    const std::size_t used = used_.load(std::memory_order_acquire) * sizeof(Slot);
    Slot* slots = slots_.load(std::memory_order_relaxed);
    auto offset = reinterpret_cast<std::uintptr_t>(handle) - reinterpret_cast<std::uintptr_t>(slots);
    return offset < used && offset % sizeof(Slot) == 0 ? live(&slots[offset / sizeof(Slot)]) : nullptr;
  }
  T* at(std::uint32_t index) const {
    return index < used_.load(std::memory_order_acquire) ? live(&slots_.load(std::memory_order_relaxed)[index]) : nullptr;
  }

  std::size_t live_count() const { return live_.load(std::memory_order_relaxed); }
  // For the leak report: calls visit(T&) for every live object.
  template <class F>
  void for_each(F&& visit) const {
    for (std::uint32_t i = 0; i < used_.load(std::memory_order_acquire); ++i)
      if (T* object = at(i)) visit(*object);
  }

 private:
  struct alignas(alignof(T) > 16 ? alignof(T) : 16) Slot {
    std::byte bytes[sizeof(T) < sizeof(Object) + sizeof(void*) ? sizeof(Object) + sizeof(void*) : sizeof(T)];
    Slot*& next_free() { return *reinterpret_cast<Slot**>(bytes + sizeof(Object)); }  // behind the head
  };

  static T* live(Slot* slot) {
    T* object = std::launder(reinterpret_cast<T*>(slot));
    return object->kind == kKind ? object : nullptr;
  }

  void* take() {
    SpinGuard guard(lock_);
    if (free_) return std::exchange(free_, free_->next_free());
    auto used = used_.load(std::memory_order_relaxed);
    Slot* slots = slots_.load(std::memory_order_relaxed);
    if (!slots) {
      if (!memory_.open(kMaxObjects * sizeof(Slot))) fail(kErrNoMem, "no address space for a pool of objects");
      slots = reinterpret_cast<Slot*>(memory_.start());
      slots_.store(slots, std::memory_order_relaxed);
    }
    if (!memory_.extend((std::size_t{used} + 1) * sizeof(Slot)))
      fail(kErrNoMem, "%u objects of one kind are alive, the most there can be", used);
    used_.store(used + 1, std::memory_order_release);  // whoever sees the new count sees the range
    return &slots[used];
  }

  std::atomic<Slot*> slots_{nullptr};  // memory_.start()
  Reserve memory_;
  Slot* free_ = nullptr;
  std::atomic<std::uint32_t> used_{0};
  std::atomic<std::size_t> live_{0};
  Spinlock lock_;
};

}  // namespace starling
