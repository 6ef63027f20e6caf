// SPDX-License-Identifier: BSD-3-Clause
// Decoding and checking of arguments, one function for each kind (doc/api-layer.md). Each returns what the core function gets,
// or fails with the class that the standard names for the kind.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "abi/entry/call.h"
#include "datatype/op.h"

namespace starling::abi {

// ---- Handles

template <class T>
[[noreturn, gnu::cold, gnu::noinline]] void bad_handle(Handle<T> handle, Argument argument) {
  char text[64];
  __builtin_snprintf(text, sizeof text, is_null<T>(handle) ? "is the null %s" : "is not a valid %s", Objects<T>::kName);
  bad(Objects<T>::kError, argument, text);
}

// The object of a handle that must be valid.
template <class T>
inline T& decode(Handle<T> handle, Argument argument) {
  T* found = in<T>(handle);
  if (!found) [[unlikely]]
    bad_handle<T>(handle, argument);
  return *found;
}
// The same where the null handle is allowed: nullptr.
template <class T>
inline T* decode_or_null(Handle<T> handle, Argument argument) {
  return is_null<T>(handle) ? nullptr : &decode<T>(handle, argument);
}

// An object whose error handler reports errors of the call.
template <class T>
inline T& decode_on(Call& call, Handle<T> handle, Argument argument) {
  T& found = decode<T>(handle, argument);
  call.on(&found);
  return found;
}
inline Comm& communicator(Call& call, MPI_Comm handle, Argument argument) { return decode_on<Comm>(call, handle, argument); }
inline Comm& intra_communicator(Call& call, MPI_Comm handle, Argument argument) {
  Comm& comm = communicator(call, handle, argument);
  if (comm.inter) [[unlikely]]
    bad(kErrComm, argument, "is an intercommunicator");
  return comm;
}
inline Comm& inter_communicator(Call& call, MPI_Comm handle, Argument argument) {
  Comm& comm = communicator(call, handle, argument);
  if (!comm.inter) [[unlikely]]
    bad(kErrComm, argument, "is not an intercommunicator");
  return comm;
}
// A message that was probed: errors of receiving it are reported by its communicator, which `comm` keeps.
inline Message& message_on(Call& call, Ref<Comm>& comm, MPI_Message handle, Argument argument) {
  Message& message = decode<Message>(handle, argument);
  comm = message.comm;
  call.on(comm.get());
  return message;
}

// A request whose communicator's error handler reports.
inline Request& request_on(Call& call, MPI_Request handle, Argument argument) {
  Request& request = decode<Request>(handle, argument);
  call.on(request.comm);
  return request;
}

// A request that is to be changed: the call holds its worker.
inline Request& held_request(Call& call, MPI_Request handle, Argument argument) {
  Request& request = decode<Request>(handle, argument);
  call.hold(request);
  return request;
}

// A datatype for communication.
inline Datatype& committed(MPI_Datatype handle, Argument argument) {
  Datatype& type = decode<Datatype>(handle, argument);
  if (!type.committed) [[unlikely]]
    bad(kErrType, argument, "is not committed (MPI_Type_commit)");
  return type;
}
// An operation for a reduction of elements of the type.
inline Op& reduction(MPI_Op handle, const Datatype& type, Argument argument) {
  Op& op = decode<Op>(handle, argument);
  if (!op::allowed(op, type)) [[unlikely]]
    bad(kErrOp, argument, "is not defined on this datatype");
  return op;
}

// ---- Numbers

template <class Int>
inline Int nonnegative(Int value, int error_class, Argument argument) {
  if (value < 0) [[unlikely]]
    bad(error_class, argument, value, "is negative");
  return value;
}
template <class Int>
inline Int positive(Int value, int error_class, Argument argument) {
  if (value <= 0) [[unlikely]]
    bad(error_class, argument, value, "is not positive");
  return value;
}

// Which special ranks a parameter allows.
enum Special : unsigned { kOnlyRanks = 0, kOrProcNull = 1, kOrAnySource = 2 };

// A rank of the peers of the communicator.
inline int rank_of(const Comm& comm, int value, Special allowed, Argument argument) {
  const int rank = in_rank(value);
  if (static_cast<unsigned>(rank) < static_cast<unsigned>(comm.remote_size)) [[likely]]
    return rank;
  if (rank == kProcNull && (allowed & kOrProcNull)) return rank;
  if (rank == kAnySource && (allowed & kOrAnySource)) return rank;
  [[unlikely]] bad(kErrRank, argument, value, rank < 0 ? "is not a rank" : "is too large: the communicator has fewer ranks");
}
inline constexpr Special kDestination = kOrProcNull;
inline constexpr Special kSource = static_cast<Special>(kOrProcNull | kOrAnySource);

// The root of a collective: for an intercommunicator a rank of the other group, MPI_ROOT or MPI_PROC_NULL.
inline int root_of(const Comm& comm, int value, Argument argument) {
  const int root = in_rank(value);
  if (static_cast<unsigned>(root) < static_cast<unsigned>(comm.remote_size)) [[likely]]
    return root;
  if (comm.inter && (root == kRoot || root == kProcNull)) return root;
  [[unlikely]] bad(kErrRoot, argument, value, "is not a rank of the communicator");
}

inline int send_tag(int value, Argument argument) {
  if (value < 0) [[unlikely]]
    bad(kErrTag, argument, value, "is negative");
  return value;
}
inline int recv_tag(int value, Argument argument) {
  const int tag = in_tag(value);
  if (tag < 0 && tag != kAnyTag) [[unlikely]]
    bad(kErrTag, argument, value, "is negative");
  return tag;
}

// ---- Pointers

// A place for a result.
template <class T>
inline T& writable(T* place, Argument argument) {
  if (!place) [[unlikely]]
    bad(kErrArg, argument, "is a null pointer");
  return *place;
}
inline void writable(void* place, Argument argument) {
  if (!place) [[unlikely]]
    bad(kErrArg, argument, "is a null pointer");
}
// An array with n elements, which may be absent when n is 0.
template <class T>
inline T* array(T* elements, Count n, Argument argument) {
  if (!elements && n > 0) [[unlikely]]
    bad(kErrArg, argument, "is a null pointer");
  return elements;
}
// Weights of edges: MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY are no arrays.
template <class Int>
inline Int* edge_weights(Int* values, Count n, Argument argument) {
  Int* known = in_weights(values);
  if (n > 0 && known == kWeightsEmpty) [[unlikely]]
    bad(kErrArg, argument, "is MPI_WEIGHTS_EMPTY, but there are edges");
  return array(known, n, argument);
}
// Lengths of arrays that follow from other arguments. An array that is not there has none: its own check will say so.
inline Count last_of(const int* values, int n) { return values && n > 0 ? values[n - 1] : 0; }
inline Count sum_of(const int* values, int n) {
  Count sum = 0;
  for (int i = 0; values && i < n; ++i) sum += values[i];
  return sum;
}
Count cart_dims(const Comm& comm);
// Weights are handed out of a weighted graph only.
Count weights_in(const Comm& comm, int room);
Count weights_out(const Comm& comm, int room);

// Counts, if they matter: none may be negative.
template <class Int>
inline CountArray counts_if(bool matters, const Int* values, Count n, Argument argument) {
  if (!matters) return {};
  array(values, n, argument);
  for (Count i = 0; i < n; ++i)
    if (values[i] < 0) [[unlikely]]
      bad(kErrCount, argument, values[i], "in the array is negative");
  return in_counts(values);
}
inline const int* all_nonnegative(const int* values, int n, Argument argument) {
  array(values, nonnegative(n, kErrArg, argument), argument);
  for (int i = 0; i < n; ++i)
    if (values[i] < 0) [[unlikely]]
      bad(kErrArg, argument, values[i], "in the array is negative");
  return values;
}
// The ranges of MPI_Group_range_incl: n triples.
inline const int* triples(const int (*ranges)[3], int n, Argument argument) {
  if (!ranges && n > 0) [[unlikely]]
    bad(kErrArg, argument, "is a null pointer");
  return ranges ? ranges[0] : nullptr;
}
inline std::string_view text_of(const char* text, int error_class, Argument argument) {
  if (!text) [[unlikely]]
    bad(error_class, argument, "is a null pointer");
  return text;
}
template <class Function>
inline Callback callback(Function* function, bool large, Argument argument) {
  if (!function) [[unlikely]]
    bad(kErrArg, argument, "is a null pointer");
  return {reinterpret_cast<void*>(function), &kCallbacks, large};
}
// The same where a null pointer says that there is none.
template <class Function>
inline Callback optional_callback(Function* function, bool large) {
  return {reinterpret_cast<void*>(function), &kCallbacks, large};
}
// Functions of attributes: the predefined ones are special, and that which does nothing is null.
template <class Function>
inline Callback attribute_callback(Function* function) {
  auto* address = reinterpret_cast<void*>(function);
  if (!address) return {};
  if (is_dup_function(address)) return {kDupFunction, nullptr, false};
  return {address, &kCallbacks, false};
}

// Memory of a message. Only what is wrong for certain is an error: a null pointer may be MPI_BOTTOM for a type with absolute
// addresses.
template <class Address>
inline Address checked_buffer(Address user, Count count, const Datatype& type, Argument argument) {
  Address address = in_buffer(user);
  if (!address && count > 0 && type.contiguous && type.size > 0) [[unlikely]]
    bad(kErrBuffer, argument, "is a null pointer");
  if (address == kInPlace) [[unlikely]]
    bad(kErrBuffer, argument, "must not be MPI_IN_PLACE");
  return address;
}

// ---- Results

// A large result for an int: too large is an error ...
inline void narrow(Count value, int& place, Argument argument) {
  if (value != static_cast<int>(value)) [[unlikely]]
    bad(kErrValueTooLarge, argument, value, "does not fit in an int; use the function with _c");
  place = static_cast<int>(value);
}
template <class Wide>
inline void narrow(Count value, Wide& place, Argument) {
  place = value;
}
// ... or, where the standard says so, MPI_UNDEFINED.
inline void narrow_or_undefined(Count value, int& place) {
  place = value == static_cast<int>(value) ? static_cast<int>(value) : MPI_UNDEFINED;
}
template <class Wide>
inline void narrow_or_undefined(Count value, Wide& place) {
  place = value;
}

// Copies at most capacity - 1 characters and a zero; returns the number of characters.
int put_string(std::string_view text, char* place, int capacity);
// The same for a caller who tells the capacity in `length` (0: only asks) and learns there what the whole text needs.
void put_whole(std::string_view text, char* place, int& length);

// ---- Arrays that must be converted

// A temporary array of n elements, on the stack while it is short.
template <class T>
class Temporary {
 public:
  explicit Temporary(Count n) : heap_(n > kInline ? new T[static_cast<std::size_t>(n)]() : nullptr) {}
  T* data() { return heap_ ? heap_.get() : inline_; }

 private:
  static constexpr Count kInline = 32;
  T inline_[kInline] = {};
  std::unique_ptr<T[]> heap_;
};

// The objects behind an array of handles.
template <class T>
class ObjectArray : public Temporary<T*> {
 public:
  ObjectArray(const Handle<T>* handles, Count n, Argument argument) : Temporary<T*>(n) {
    abi::array(handles, n, argument);
    for (Count i = 0; i < n; ++i) this->data()[i] = &decode<T>(handles[i], argument);
  }
};

// The same where null handles are allowed.
template <class T>
class ObjectArrayOrNull : public Temporary<T*> {
 public:
  ObjectArrayOrNull(const Handle<T>* handles, Count n, Argument argument) : Temporary<T*>(n) {
    abi::array(handles, n, argument);
    for (Count i = 0; i < n; ++i) this->data()[i] = decode_or_null<T>(handles[i], argument);
  }
};

// The user's array of error codes, which the core fills with classes, also when the call fails; nullptr: MPI_ERRCODES_IGNORE.
struct ErrorCodes {
  explicit ErrorCodes(int* codes) : user(codes) {}
  ErrorCodes(const ErrorCodes&) = delete;
  ~ErrorCodes() {
    if (user) std::transform(classes.begin(), classes.end(), user, [](int error_class) { return out_error(error_class); });
  }
  int* user;
  std::vector<int> classes;
};

// Numbers that are converted one by one.
class Numbers : public Temporary<int> {
 public:
  Numbers(int (*convert)(int), const int* values, Count n, Argument argument) : Temporary<int>(n) {
    abi::array(values, n, argument);
    for (Count i = 0; i < n; ++i) data()[i] = convert(values[i]);
  }
};

}  // namespace starling::abi
