// SPDX-License-Identifier: BSD-3-Clause
// What every MPI object (communicator, datatype, request ...) has in common, and the counted reference to one.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace starling {

enum class Kind : std::uint8_t {
  kFree,  // a pool slot that holds no object
  kComm,
  kGroup,
  kDatatype,
  kOp,
  kErrhandler,
  kInfo,
  kRequest,
  kMessage,
  kWin,
  kFile,
  kSession,
};

// Common head of every object. Objects live in the Pool of their type, so that a handle can be checked without being
// dereferenced blindly, and so that pointer, index and Fortran integer follow from each other by arithmetic.
// Reference counts are atomic only because a request may outlive the call of another thread; everything else in an
// object is guarded by the worker lock (progress/worker.h).
struct alignas(void*) Object {  // aligned so that pools find room for a pointer behind it
  Kind kind = Kind::kFree;
  std::uint16_t code = 0;   // handle value in the standard ABI of a predefined object; 0 = made by the user
  std::uint32_t index = 0;  // slot in the pool
  std::atomic<std::uint32_t> references{1};

  bool predefined() const { return code != 0; }
};

// Each object type T has `void destroy(T&)` in its own header: called when the last reference goes away, it releases
// what the object owns and gives the slot back to the pool. Predefined objects are never destroyed.
template <class T>
void release(T* object) {
  if (object && !object->predefined() && object->references.fetch_sub(1, std::memory_order_acq_rel) == 1) destroy(*object);
}
template <class T>
T* retain(T* object) {
  if (object && !object->predefined()) object->references.fetch_add(1, std::memory_order_relaxed);
  return object;
}

// Owning, counted reference; empty or pointing to a live object.
template <class T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(T* object) : object_(retain(object)) {}
  // Takes over the caller's reference.
  static Ref adopt(T* object) {
    Ref r;
    r.object_ = object;
    return r;
  }
  Ref(const Ref& other) : object_(retain(other.object_)) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { release(object_); }

  T* get() const { return object_; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  explicit operator bool() const { return object_; }
  T* leak() { return std::exchange(object_, nullptr); }  // the caller takes over the reference

 private:
  T* object_ = nullptr;
};

// Where a process has several workers (progress/worker.h), the last reference to an object may be let go by a thread that does
// not hold home, which guards most of what an object is connected with. Then destroy(object) is called later, by one that does.
// Returns false if the caller shall go on by itself. Set while there is one thread.
using LeaveToHome = bool (*)(void (*destroy)(void*), void* object);
inline constinit LeaveToHome leave_to_home = nullptr;
template <class T>
bool left_to_home(T& object) {
  return leave_to_home && leave_to_home([](void* left) { destroy(*static_cast<T*>(left)); }, &object);
}

// Owns something that an object carries for a layer above, which this layer knows by name only; made by make_held.
template <class T>
using Held = std::unique_ptr<T, void (*)(T*)>;
template <class T, class... Args>
Held<T> make_held(Args&&... args) {
  return {new T(std::forward<Args>(args)...), [](T* held) { delete held; }};
}

}  // namespace starling
