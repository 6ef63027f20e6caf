// SPDX-License-Identifier: BSD-3-Clause
#include "codec.h"

#include "object/error_text.h"

namespace starling::abi {

namespace {

// Codes that users add are above kErrLastcode in the core and above MPI_ERR_LASTCODE in this ABI.
constexpr int kFirstUserCode = 0x40000000;

// Keyvals that users make: a handle of the kind "keyval" (9) with the core's number.
constexpr unsigned kUserKeyval = 0xe4000000;

}  // namespace

int in_keyval(int value) {
  if ((static_cast<unsigned>(value) & ~kIndexMask) == kUserKeyval)
    return static_cast<int>(static_cast<unsigned>(value) & kIndexMask);
  return to_core(kKeyvals, value);
}
int out_keyval(int value) { return to_user(kKeyvals, value, static_cast<int>(kUserKeyval | static_cast<unsigned>(value))); }

int in_error(int value) {
  if (value == MPI_SUCCESS) return kSuccess;
  if (value > object::kClassMask && value <= kErrLastcode)
    return (value & ~object::kClassMask) | to_core(kErrors, value & object::kClassMask);
  return value >= kFirstUserCode ? value - kFirstUserCode + kErrLastcode + 1 : to_core(kErrors, value);
}
int out_error(int value) {
  if (value == kSuccess) return MPI_SUCCESS;
  if (object::has_detail(value))
    return (value & ~object::kClassMask) | to_user(kErrors, value & object::kClassMask, MPI_ERR_OTHER);
  return value > kErrLastcode ? value - kErrLastcode - 1 + kFirstUserCode : to_user(kErrors, value, MPI_ERR_OTHER);
}

namespace {

// Sets: bit by bit. A bit that is none makes the whole unknown.
template <std::size_t n>
int set_to_core(const Pair (&table)[n], int value) {
  int core = 0;
  for (const Pair& pair : table) {
    if (value & pair.user) core |= pair.core;
    value &= ~pair.user;
  }
  return value == 0 ? core : kUnknown;
}

}  // namespace

int in_assertion(int value) { return set_to_core(kAssertions, value); }
int in_access_mode(int value) { return set_to_core(kAccessModes, value); }
int out_access_mode(int value) {
  int user = 0;
  for (const Pair& pair : kAccessModes)
    if (value & pair.core) user |= pair.user;
  return user;
}

// Values that are ranks, codes or constants are shown translated; the user gets the address of a copy that is never changed by
// others.
void* out_attribute(int keyval, void* value) {
  static int io, host, last_used_code, model, flavors[std::size(kWinFlavors)];
  switch (keyval) {
    case kIo:
      return io = out_rank(*static_cast<int*>(value)), &io;
    case kHost:
      return host = out_rank(*static_cast<int*>(value)), &host;
    case kLastusedcode:
      return last_used_code = out_error(*static_cast<int*>(value)), &last_used_code;
    case kWinModel:
      return model = to_user(kWinModels, *static_cast<int*>(value), MPI_UNDEFINED), &model;
    case kWinCreateFlavor:
      for (std::size_t i = 0; i < std::size(kWinFlavors); ++i)
        if (kWinFlavors[i].core == *static_cast<int*>(value)) return flavors[i] = kWinFlavors[i].user, &flavors[i];
      return value;
    default:
      return value;
  }
}

// The arguments of array constructors that are constants (MPI 5.0, 5.1.13): subarray (ndims, sizes, subsizes, starts, order),
// darray (size, rank, ndims, gsizes, distribs, dargs, psizes, order); in the large form the sizes are elsewhere.
void out_contents(int combiner, bool large, int* integers) {
  if (combiner == kCombinerSubarray) {
    int& order = integers[large ? 1 : 1 + 3 * integers[0]];
    order = to_user(kOrders, order, order);
  } else if (combiner == kCombinerDarray) {
    const int dims = integers[2];
    int* distributions = integers + 3 + (large ? 0 : dims);
    int* arguments = distributions + dims;
    for (int i = 0; i < dims; ++i) {
      distributions[i] = to_user(kDistributions, distributions[i], distributions[i]);
      if (arguments[i] == kDistributeDfltDarg) arguments[i] = MPI_DISTRIBUTE_DFLT_DARG;
    }
    int& order = arguments[2 * dims];
    order = to_user(kOrders, order, order);
  }
}

}  // namespace starling::abi
