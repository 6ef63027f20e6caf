// SPDX-License-Identifier: BSD-3-Clause
// The codec of the MPICH ABI: translates numbers, handles and statuses of programs compiled for libmpi.so.12 to those of the
// core and back. Translation goes by the kind of an argument, never by its value alone: MPI_PROC_NULL and MPI_ANY_TAG are the
// same number here.
//
// A handle is an int: bits 30-31 say how to read it (1: built in, 3: made by the user), bits 26-29 the kind of object, the rest
// the code or the slot in the pool. (Pair types are built in but have 2 in bits 30-31.) Only MPI_File is a pointer.
#pragma once

#pragma GCC visibility push(default)
#include <mpi.h>
#pragma GCC visibility pop

#include <cstdint>
#include <iterator>

#include "abi/entry/objects.h"
#include "abi/mpich/tables.gen.h"
#include "base/types.h"
#include "object/callback.h"
#include "object/status.h"

namespace starling::abi {

extern const CallbackAbi kCallbacks;

template <class T>
struct HandleOf {
  using type = int;
};
template <>
struct HandleOf<File> {
  using type = MPI_File;
};
template <class T>
using Handle = typename HandleOf<T>::type;

inline constexpr unsigned kIndexMask = 0x03ffffff;
template <class T>
inline constexpr unsigned kUserHandle = 0xc0000000 | Objects<T>::kMpichKind << 26;
template <class T>
inline constexpr unsigned kBuiltinHandle = 0x40000000 | Objects<T>::kMpichKind << 26;

// Codes of predefined objects and back; 0: no such code. Datatypes and operations have tables, the others so few that a rule
// does.
template <class T>
constexpr unsigned code_of(unsigned) {
  return 0;
}
template <>
constexpr unsigned code_of<Comm>(unsigned h) {
  return h == 0x44000000 ? kCodeCommWorld : h == 0x44000001 ? kCodeCommSelf : 0;
}
template <>
constexpr unsigned code_of<Group>(unsigned h) {
  return h == 0x48000000 ? kCodeGroupEmpty : 0;
}
template <>
constexpr unsigned code_of<Info>(unsigned h) {
  return h == 0x5c000001 ? kCodeInfoEnv : 0;
}
template <>
constexpr unsigned code_of<Message>(unsigned h) {
  return h == 0x6c000000 ? kCodeMessageNoProc : 0;
}
template <>
constexpr unsigned code_of<Errhandler>(unsigned h) {
  return h == 0x54000000 ? kCodeErrorsAreFatal : h == 0x54000001 ? kCodeErrorsReturn : h == 0x54000003 ? kCodeErrorsAbort : 0;
}
template <>
constexpr unsigned code_of<Op>(unsigned h) {
  unsigned index = h & 0xff;
  unsigned code = index < std::size(kOpCodes) ? kOpCodes[index] : 0;
  return code && kOpHandles[code - kCodeOpNull] == h ? code : 0;
}
template <>
constexpr unsigned code_of<Datatype>(unsigned h) {
  unsigned index = h & 0xff;
  unsigned code = 0;
  if (h >> 30 == 1 && index < std::size(kDatatypeCodes)) code = kDatatypeCodes[index];
  if (h >> 30 == 2 && index < std::size(kPairCodes)) code = kPairCodes[index];
  return code && kDatatypeHandles[code - kCodeDatatypeNull] == h ? code : 0;
}
template <class T>
constexpr unsigned handle_of(unsigned) {
  return 0;
}
template <>
constexpr unsigned handle_of<Comm>(unsigned code) {
  return code == kCodeCommWorld ? 0x44000000 : 0x44000001;
}
template <>
constexpr unsigned handle_of<Group>(unsigned) {
  return 0x48000000;
}
template <>
constexpr unsigned handle_of<Info>(unsigned) {
  return 0x5c000001;
}
template <>
constexpr unsigned handle_of<Message>(unsigned) {
  return 0x6c000000;
}
template <>
constexpr unsigned handle_of<Errhandler>(unsigned code) {
  return code == kCodeErrorsAreFatal ? 0x54000000 : code == kCodeErrorsReturn ? 0x54000001 : 0x54000003;
}
template <>
constexpr unsigned handle_of<Op>(unsigned code) {
  return kOpHandles[code - kCodeOpNull];
}
template <>
constexpr unsigned handle_of<Datatype>(unsigned code) {
  return kDatatypeHandles[code - kCodeDatatypeNull];
}

template <class T>
constexpr int null_handle() {
  if constexpr (std::is_same_v<T, Message>) return MPI_MESSAGE_NULL;  // the same number as MPI_REQUEST_NULL
  return static_cast<int>(Objects<T>::kMpichKind << 26);
}

template <class T>
inline T* in(Handle<T> handle) {
  auto value = static_cast<unsigned>(handle);
  if ((value & ~kIndexMask) == kUserHandle<T>) return Objects<T>::at(value & kIndexMask);
  unsigned code = code_of<T>(value);
  return code ? Objects<T>::predefined(code) : nullptr;
}
template <>
inline File* in<File>(MPI_File handle) {
  return Objects<File>::find(handle);
}

template <class T>
inline Handle<T> out(const T* object) {
  if (!object) return null_handle<T>();
  if (object->code) return static_cast<int>(handle_of<T>(object->code));
  return static_cast<int>(kUserHandle<T> | object->index);
}
template <>
inline MPI_File out<File>(const File* object) {
  return object && !object->code ? reinterpret_cast<MPI_File>(const_cast<File*>(object)) : MPI_FILE_NULL;
}

template <class T>
inline bool is_null(Handle<T> handle) {
  return handle == null_handle<T>();
}
template <>
inline bool is_null<File>(MPI_File handle) {
  return !handle;
}

// Integers that stand for handles: in this ABI the handles themselves.
template <class T>
inline int to_int(Handle<T> handle) {
  return handle;
}
// 0 stands for MPI_FILE_NULL. The caller passes a valid handle; a wrong one gives 0, too.
template <>
inline int to_int<File>(MPI_File handle) {
  const File* file = Objects<File>::find(handle);
  return file ? static_cast<int>(file->index) + 1 : 0;
}
template <class T>
inline Handle<T> from_int(int number) {
  return number;
}
template <>
inline MPI_File from_int<File>(int number) {
  return out<File>(number > 0 ? Objects<File>::at(static_cast<std::uint32_t>(number - 1)) : nullptr);
}

// Numbers with a meaning of their own. What the user's ABI does not know becomes kUnknown, which no check accepts.
inline constexpr int kUnknown = -0x7fff0000;
template <std::size_t n>
int to_core(const Pair (&table)[n], int value) {
  for (const Pair& pair : table)
    if (pair.user == value) return pair.core;
  return kUnknown;
}
template <std::size_t n>
int to_user(const Pair (&table)[n], int value, int otherwise) {
  for (const Pair& pair : table)
    if (pair.core == value) return pair.user;
  return otherwise;
}

inline int in_rank(int value) {
  if (value >= 0) [[likely]]
    return value;
  switch (value) {
    case MPI_PROC_NULL:
      return kProcNull;
    case MPI_ANY_SOURCE:
      return kAnySource;
    case MPI_ROOT:
      return kRoot;
    default:
      return value == MPI_UNDEFINED ? kUndefined : kUnknown;
  }
}
inline int out_rank(int value) {
  if (value >= 0) [[likely]]
    return value;
  switch (value) {
    case kProcNull:
      return MPI_PROC_NULL;
    case kAnySource:
      return MPI_ANY_SOURCE;
    case kRoot:
      return MPI_ROOT;
    default:
      return value;
  }
}
inline int in_tag(int value) { return value == MPI_ANY_TAG ? kAnyTag : value >= 0 ? value : kUnknown; }
inline int out_tag(int value) { return value == kAnyTag ? MPI_ANY_TAG : value; }

int in_keyval(int value);  // mpich/codec.cc
int out_keyval(int value);
int in_error(int value);
int out_error(int value);
void* out_attribute(int keyval, void* value);
void out_contents(int combiner, bool large, int* integers);

inline int in_thread_level(int value) { return to_core(kThreadLevels, value); }
inline int out_thread_level(int value) { return to_user(kThreadLevels, value, MPI_UNDEFINED); }
inline int out_comparison(int value) { return to_user(kComparisons, value, MPI_UNDEFINED); }
// MPI_Abi_get_version: this library is not that of the standard ABI (MPI 5.0, 20.2).
inline int out_abi_version(int) { return -1; }
inline int out_topology(int value) { return to_user(kTopologies, value, MPI_UNDEFINED); }
inline int in_split_type(int value) { return value == MPI_UNDEFINED ? kUndefined : to_core(kSplitTypes, value); }
inline int out_combiner(int value) { return to_user(kCombiners, value, MPI_UNDEFINED); }
inline int in_order(int value) { return to_core(kOrders, value); }
inline int in_typeclass(int value) { return to_core(kTypeclasses, value); }
inline int in_lock_type(int value) { return to_core(kLockTypes, value); }
int in_assertion(int value);
int in_access_mode(int value);
int out_access_mode(int value);
inline int in_seek(int value) { return to_core(kSeeks, value); }
inline Count in_displacement(MPI_Offset value) { return value == MPI_DISPLACEMENT_CURRENT ? kDisplacementCurrent : value; }
inline int in_distribution(int value) { return to_core(kDistributions, value); }
inline int in_distribution_arg(int value) { return value == MPI_DISTRIBUTE_DFLT_DARG ? kDistributeDfltDarg : value; }

// Addresses with a meaning of their own: MPI_IN_PLACE and MPI_BUFFER_AUTOMATIC are -1 and -2 here.
inline void* in_buffer(void* address) {
  if (address == MPI_IN_PLACE) [[unlikely]]
    return kInPlace;
  if (address == MPI_BUFFER_AUTOMATIC) [[unlikely]]
    return kBufferAutomatic;
  return address;
}
inline const void* in_buffer(const void* address) { return in_buffer(const_cast<void*>(address)); }
inline void* out_buffer(void* address) { return address == kBufferAutomatic ? MPI_BUFFER_AUTOMATIC : address; }
inline int* in_weights(int* weights) {
  return weights == MPI_UNWEIGHTED ? kUnweighted : weights == MPI_WEIGHTS_EMPTY ? kWeightsEmpty : weights;
}
inline const int* in_weights(const int* weights) { return in_weights(const_cast<int*>(weights)); }

// MPI_Count is long long in this ABI and long in the core: the same bits.
static_assert(sizeof(MPI_Count) == sizeof(Count) && sizeof(MPI_Aint) == sizeof(Count));
inline CountArray in_counts(const int* values) { return values; }
inline CountArray in_counts(const MPI_Aint* values) { return reinterpret_cast<const Count*>(values); }
inline CountArray in_counts(const MPI_Count* values) { return reinterpret_cast<const Count*>(values); }
inline Count* out_counts(MPI_Aint* values) { return reinterpret_cast<Count*>(values); }
inline Count* out_counts(MPI_Count* values) { return reinterpret_cast<Count*>(values); }

// The status. MPI_ERROR is written only by functions that complete several operations (MPI 5.0, 3.2.5): put_error.
inline bool ignored(const MPI_Status* status) { return status == MPI_STATUS_IGNORE; }
inline void put_status(const Status& status, MPI_Status* user) {
  if (ignored(user)) return;
  user->count_lo = static_cast<int>(status.bytes);
  user->count_hi_and_cancelled = static_cast<int>(status.bytes >> 32) << 1 | status.cancelled;
  user->MPI_SOURCE = out_rank(status.source);
  user->MPI_TAG = out_tag(status.tag);
}
inline void put_error(int error, MPI_Status* user) { user->MPI_ERROR = error; }
inline Status get_status(const MPI_Status* user) {
  Count high = static_cast<unsigned>(user->count_hi_and_cancelled) >> 1;
  return {in_rank(user->MPI_SOURCE), in_tag(user->MPI_TAG), in_error(user->MPI_ERROR), (user->count_hi_and_cancelled & 1) != 0,
          high << 32 | static_cast<unsigned>(user->count_lo)};
}

// Predefined attribute copy functions, recognised by address.
inline bool is_dup_function(const void* function) { return function == reinterpret_cast<const void*>(&MPIR_Dup_fn); }

}  // namespace starling::abi
