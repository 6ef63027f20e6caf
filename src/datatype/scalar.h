// SPDX-License-Identifier: BSD-3-Clause
// Scalar: the machine's numbers that basic datatypes are made of, and what kind of thing a basic datatype is to an operation.
#pragma once

#include <cfloat>
#include <cstddef>
#include <cstdint>

#include "base/constants.gen.h"
#include "base/types.h"

namespace starling {

// MPIX_C_FLOAT16, which only the MPICH ABI has; no handle of the standard ABI has this value.
inline constexpr unsigned kCodeCFloat16 = 0x2cf;

struct Datatype;

enum class Scalar : std::uint8_t {
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kInt128,
  kUint8,
  kUint16,
  kUint32,
  kUint64,
  kUint128,
  kFloat16,
  kFloat32,
  kFloat64,
  kLongDouble,
  kFloat128,
  kNone,
};
inline constexpr std::size_t kScalars = static_cast<std::size_t>(Scalar::kNone);

// Groups of MPI 5.0 table 6.1, and those outside of it.
enum class Family : std::uint8_t {
  kInteger,    // of C and Fortran
  kCharacter,  // MPI_CHAR, MPI_CHARACTER: reduced like integers, as programs and other libraries do
  kMultiple,   // MPI_AINT, MPI_OFFSET, MPI_COUNT
  kFloating,
  kLogical,
  kComplex,  // two scalars
  kByte,
  kOpaque,  // MPI_PACKED, MPI_WCHAR: no operation
  kNone,    // the machine has no such type
};

// What the compiler offers beyond C++20.
#if defined(__SIZEOF_INT128__)
#define STARLING_HAS_INT128 1
__extension__ using Int128 = __int128;
__extension__ using Uint128 = unsigned __int128;
#endif
#if defined(__FLT16_MANT_DIG__)
#define STARLING_HAS_FLOAT16 1
#if defined(__aarch64__) && !defined(__clang__) && __GNUC__ < 13
using Float16 = __fp16;  // computes in float, which rounds to the same half
#else
using Float16 = _Float16;
#endif
#endif
#if defined(__SIZEOF_FLOAT128__)
#define STARLING_HAS_FLOAT128 1
__extension__ using Float128 = __float128;
#elif LDBL_MANT_DIG == 113
#define STARLING_HAS_FLOAT128 1
using Float128 = long double;
#endif

// A basic predefined datatype. `external` is the size of one scalar of it in external32.
struct BasicType {
  unsigned code;
  const char* name;
  Family family = Family::kNone;
  Scalar scalar = Scalar::kNone;
  std::uint8_t external = 0;

  Count scalars() const { return family == Family::kComplex ? 2 : 1; }
};

Count size_of(Scalar scalar);  // 0: the machine does not have it
Count alignment_of(Scalar scalar);

namespace datatype {

// The description of a basic datatype (not of a pair), nullptr for a code that is none.
const BasicType* basic_type(unsigned code);

// The predefined pair of value and index with this code and name, laid out like a C struct of the two.
Datatype* make_pair_type(unsigned code, const char* name, Datatype& value, Datatype& index);

}  // namespace datatype
}  // namespace starling
