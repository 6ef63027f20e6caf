// SPDX-License-Identifier: BSD-3-Clause
// The codec of the MPI-5 standard ABI, which the core speaks natively: numbers stay what they are, a handle is the address of
// its object or, below 0x1000, the code of a predefined one. src/abi/mpich/codec.h has the same functions for the other ABI.
#pragma once

#pragma GCC visibility push(default)
#include <mpi.h>
#pragma GCC visibility pop

#include <cstdint>
#include <cstring>

#include "abi/entry/objects.h"
#include "base/types.h"
#include "object/callback.h"
#include "object/status.h"

namespace starling::abi {

extern const CallbackAbi kCallbacks;

template <class T>
struct HandleOf;
template <>
struct HandleOf<Comm> {
  using type = MPI_Comm;
};
template <>
struct HandleOf<Group> {
  using type = MPI_Group;
};
template <>
struct HandleOf<Datatype> {
  using type = MPI_Datatype;
};
template <>
struct HandleOf<Op> {
  using type = MPI_Op;
};
template <>
struct HandleOf<Errhandler> {
  using type = MPI_Errhandler;
};
template <>
struct HandleOf<Info> {
  using type = MPI_Info;
};
template <>
struct HandleOf<Request> {
  using type = MPI_Request;
};
template <>
struct HandleOf<Message> {
  using type = MPI_Message;
};
template <>
struct HandleOf<Session> {
  using type = MPI_Session;
};
template <>
struct HandleOf<Win> {
  using type = MPI_Win;
};
template <>
struct HandleOf<File> {
  using type = MPI_File;
};
template <class T>
using Handle = typename HandleOf<T>::type;

inline constexpr std::uintptr_t kFirstAddress = 0x1000;  // below: codes

template <class T>
inline T* in(Handle<T> handle) {
  auto value = reinterpret_cast<std::uintptr_t>(handle);
  return value < kFirstAddress ? Objects<T>::predefined(static_cast<unsigned>(value)) : Objects<T>::find(handle);
}
template <class T>
inline Handle<T> out(const T* object) {
  if (!object) return reinterpret_cast<Handle<T>>(std::uintptr_t{Objects<T>::kNull});
  if (object->code) return reinterpret_cast<Handle<T>>(std::uintptr_t{object->code});
  return reinterpret_cast<Handle<T>>(const_cast<T*>(object));
}
template <class T>
inline bool is_null(Handle<T> handle) {
  return reinterpret_cast<std::uintptr_t>(handle) == Objects<T>::kNull;
}
inline bool is_null_request(MPI_Request handle) { return is_null<Request>(handle); }

// Integers that stand for handles (MPI_Comm_toint ...). The caller passes a valid handle; a wrong one gives the null handle's
// number.
template <class T>
inline int to_int(Handle<T> handle) {
  auto value = reinterpret_cast<std::uintptr_t>(handle);
  if (value < kFirstAddress) return static_cast<int>(value);
  const T* object = Objects<T>::find(handle);
  return object ? static_cast<int>(kFirstAddress + object->index) : static_cast<int>(Objects<T>::kNull);
}
template <class T>
inline Handle<T> from_int(int number) {
  auto value = static_cast<std::uintptr_t>(number);
  if (value < kFirstAddress) return reinterpret_cast<Handle<T>>(value);
  return out<T>(Objects<T>::at(static_cast<std::uint32_t>(value - kFirstAddress)));
}

// Numbers with a meaning of their own.
inline int in_rank(int value) { return value; }
inline int out_rank(int value) { return value; }
inline int in_tag(int value) { return value; }
inline int out_tag(int value) { return value; }
inline int in_keyval(int value) { return value; }
inline int out_keyval(int value) { return value; }
inline int in_error(int value) { return value; }
inline int out_error(int value) { return value; }
inline int in_thread_level(int value) { return value; }
inline int out_thread_level(int value) { return value; }
inline int out_comparison(int value) { return value; }
inline int out_abi_version(int value) { return value; }
inline int out_topology(int value) { return value; }
inline int in_split_type(int value) { return value; }
inline int out_combiner(int value) { return value; }
inline int in_order(int value) { return value; }
inline int in_typeclass(int value) { return value; }
inline int in_assertion(int value) { return value; }
inline int in_lock_type(int value) { return value; }
inline int in_access_mode(int value) { return value; }
inline int out_access_mode(int value) { return value; }
inline int in_seek(int value) { return value; }
inline Count in_displacement(MPI_Offset value) { return value; }
inline int in_distribution(int value) { return value; }
inline int in_distribution_arg(int value) { return value; }
inline void out_contents(int, bool, int*) {}
inline void* out_attribute(int, void* value) { return value; }

// Addresses with a meaning of their own.
inline const void* in_buffer(const void* address) { return address; }
inline void* in_buffer(void* address) { return address; }
inline void* out_buffer(void* address) { return address; }
inline int* in_weights(int* weights) { return weights; }
inline const int* in_weights(const int* weights) { return weights; }
inline CountArray in_counts(const int* values) { return values; }
inline CountArray in_counts(const MPI_Count* values) { return values; }
inline Count* out_counts(MPI_Count* values) { return values; }

// The status. MPI_ERROR is written only by functions that complete several operations (MPI 5.0, 3.2.5): put_error.
inline bool ignored(const MPI_Status* status) { return status == MPI_STATUS_IGNORE; }
inline void put_status(const Status& status, MPI_Status* user) {
  if (ignored(user)) return;
  user->MPI_SOURCE = status.source;
  user->MPI_TAG = status.tag;
  user->MPI_internal[0] = status.cancelled;
  std::memcpy(&user->MPI_internal[2], &status.bytes, sizeof status.bytes);
}
inline void put_error(int error, MPI_Status* user) { user->MPI_ERROR = error; }
inline Status get_status(const MPI_Status* user) {
  Status status{user->MPI_SOURCE, user->MPI_TAG, user->MPI_ERROR, user->MPI_internal[0] != 0, 0};
  std::memcpy(&status.bytes, &user->MPI_internal[2], sizeof status.bytes);
  return status;
}

// Predefined attribute copy functions, recognised by address.
inline bool is_dup_function(const void* function) { return function == reinterpret_cast<const void*>(1); }

}  // namespace starling::abi
