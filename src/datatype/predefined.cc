// SPDX-License-Identifier: BSD-3-Clause
// The predefined datatypes (MPI 5.0 section 3.2.2, appendix A.1). Each is made when it is first asked for.
#include <array>
#include <atomic>
#include <type_traits>

#include "datatype/build.h"
#include "datatype/datatype.h"
#include "datatype/scalar.h"

namespace starling {

namespace {

constexpr unsigned kFirstCode = kCodeDatatypeNull;
constexpr unsigned kCodes = 256;

struct ScalarShape {
  std::uint8_t size, alignment;
};

template <class T>
constexpr ScalarShape shape_of() {
  return {sizeof(T), alignof(T)};
}

constexpr ScalarShape kNoScalar{0, 1};
constexpr std::array<ScalarShape, kScalars + 1> kShapes = [] {
  std::array<ScalarShape, kScalars + 1> shapes{};
  auto set = [&](Scalar scalar, ScalarShape shape) { shapes[static_cast<std::size_t>(scalar)] = shape; };
  shapes.fill(kNoScalar);
  set(Scalar::kInt8, shape_of<std::int8_t>());
  set(Scalar::kInt16, shape_of<std::int16_t>());
  set(Scalar::kInt32, shape_of<std::int32_t>());
  set(Scalar::kInt64, shape_of<std::int64_t>());
  set(Scalar::kUint8, shape_of<std::uint8_t>());
  set(Scalar::kUint16, shape_of<std::uint16_t>());
  set(Scalar::kUint32, shape_of<std::uint32_t>());
  set(Scalar::kUint64, shape_of<std::uint64_t>());
  set(Scalar::kFloat32, shape_of<float>());
  set(Scalar::kFloat64, shape_of<double>());
  set(Scalar::kLongDouble, shape_of<long double>());
#ifdef STARLING_HAS_INT128
  set(Scalar::kInt128, shape_of<Int128>());
  set(Scalar::kUint128, shape_of<Uint128>());
#endif
#ifdef STARLING_HAS_FLOAT16
  set(Scalar::kFloat16, shape_of<Float16>());
#endif
#ifdef STARLING_HAS_FLOAT128
  set(Scalar::kFloat128, shape_of<Float128>());
#endif
  return shapes;
}();

// The scalar of a C integer type.
template <class T>
constexpr Scalar integer() {
  constexpr int log2_size = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
  return static_cast<Scalar>(static_cast<int>(std::is_signed_v<T> ? Scalar::kInt8 : Scalar::kUint8) + log2_size);
}

constexpr BasicType kBasicTypes[] = {
    {kCodeAint, "MPI_AINT", Family::kMultiple, Scalar::kInt64, 8},
    {kCodeCount, "MPI_COUNT", Family::kMultiple, Scalar::kInt64, 8},
    {kCodeOffset, "MPI_OFFSET", Family::kMultiple, Scalar::kInt64, 8},
    {kCodePacked, "MPI_PACKED", Family::kOpaque, Scalar::kUint8, 1},
    {kCodeByte, "MPI_BYTE", Family::kByte, Scalar::kUint8, 1},
    {kCodeChar, "MPI_CHAR", Family::kCharacter, integer<char>(), 1},
    {kCodeWchar, "MPI_WCHAR", Family::kOpaque, integer<wchar_t>(), 2},
    {kCodeSignedChar, "MPI_SIGNED_CHAR", Family::kInteger, Scalar::kInt8, 1},
    {kCodeUnsignedChar, "MPI_UNSIGNED_CHAR", Family::kInteger, Scalar::kUint8, 1},
    {kCodeShort, "MPI_SHORT", Family::kInteger, integer<short>(), 2},
    {kCodeInt, "MPI_INT", Family::kInteger, integer<int>(), 4},
    {kCodeLong, "MPI_LONG", Family::kInteger, integer<long>(), 4},
    {kCodeLongLong, "MPI_LONG_LONG_INT", Family::kInteger, integer<long long>(), 8},
    {kCodeUnsignedShort, "MPI_UNSIGNED_SHORT", Family::kInteger, integer<unsigned short>(), 2},
    {kCodeUnsigned, "MPI_UNSIGNED", Family::kInteger, integer<unsigned>(), 4},
    {kCodeUnsignedLong, "MPI_UNSIGNED_LONG", Family::kInteger, integer<unsigned long>(), 4},
    {kCodeUnsignedLongLong, "MPI_UNSIGNED_LONG_LONG", Family::kInteger, integer<unsigned long long>(), 8},
    {kCodeInt8T, "MPI_INT8_T", Family::kInteger, Scalar::kInt8, 1},
    {kCodeInt16T, "MPI_INT16_T", Family::kInteger, Scalar::kInt16, 2},
    {kCodeInt32T, "MPI_INT32_T", Family::kInteger, Scalar::kInt32, 4},
    {kCodeInt64T, "MPI_INT64_T", Family::kInteger, Scalar::kInt64, 8},
    {kCodeUint8T, "MPI_UINT8_T", Family::kInteger, Scalar::kUint8, 1},
    {kCodeUint16T, "MPI_UINT16_T", Family::kInteger, Scalar::kUint16, 2},
    {kCodeUint32T, "MPI_UINT32_T", Family::kInteger, Scalar::kUint32, 4},
    {kCodeUint64T, "MPI_UINT64_T", Family::kInteger, Scalar::kUint64, 8},
    {kCodeFloat, "MPI_FLOAT", Family::kFloating, Scalar::kFloat32, 4},
    {kCodeDouble, "MPI_DOUBLE", Family::kFloating, Scalar::kFloat64, 8},
    {kCodeLongDouble, "MPI_LONG_DOUBLE", Family::kFloating, Scalar::kLongDouble, 16},
    {kCodeCFloatComplex, "MPI_C_COMPLEX", Family::kComplex, Scalar::kFloat32, 4},
    {kCodeCDoubleComplex, "MPI_C_DOUBLE_COMPLEX", Family::kComplex, Scalar::kFloat64, 8},
    {kCodeCLongDoubleComplex, "MPI_C_LONG_DOUBLE_COMPLEX", Family::kComplex, Scalar::kLongDouble, 16},
    {kCodeCxxFloatComplex, "MPI_CXX_FLOAT_COMPLEX", Family::kComplex, Scalar::kFloat32, 4},
    {kCodeCxxDoubleComplex, "MPI_CXX_DOUBLE_COMPLEX", Family::kComplex, Scalar::kFloat64, 8},
    {kCodeCxxLongDoubleComplex, "MPI_CXX_LONG_DOUBLE_COMPLEX", Family::kComplex, Scalar::kLongDouble, 16},
    {kCodeCBool, "MPI_C_BOOL", Family::kLogical, Scalar::kUint8, 1},
    {kCodeCxxBool, "MPI_CXX_BOOL", Family::kLogical, Scalar::kUint8, 1},
    {kCodeLogical, "MPI_LOGICAL", Family::kLogical, Scalar::kUint32, 4},
    {kCodeInteger, "MPI_INTEGER", Family::kInteger, Scalar::kInt32, 4},
    {kCodeReal, "MPI_REAL", Family::kFloating, Scalar::kFloat32, 4},
    {kCodeComplex, "MPI_COMPLEX", Family::kComplex, Scalar::kFloat32, 4},
    {kCodeDoublePrecision, "MPI_DOUBLE_PRECISION", Family::kFloating, Scalar::kFloat64, 8},
    {kCodeDoubleComplex, "MPI_DOUBLE_COMPLEX", Family::kComplex, Scalar::kFloat64, 8},
    {kCodeCharacter, "MPI_CHARACTER", Family::kCharacter, integer<char>(), 1},
    {kCodeLogical1, "MPI_LOGICAL1", Family::kLogical, Scalar::kUint8, 1},
    {kCodeLogical2, "MPI_LOGICAL2", Family::kLogical, Scalar::kUint16, 2},
    {kCodeLogical4, "MPI_LOGICAL4", Family::kLogical, Scalar::kUint32, 4},
    {kCodeLogical8, "MPI_LOGICAL8", Family::kLogical, Scalar::kUint64, 8},
    {kCodeLogical16, "MPI_LOGICAL16", Family::kLogical, Scalar::kUint128, 16},
    {kCodeInteger1, "MPI_INTEGER1", Family::kInteger, Scalar::kInt8, 1},
    {kCodeInteger2, "MPI_INTEGER2", Family::kInteger, Scalar::kInt16, 2},
    {kCodeInteger4, "MPI_INTEGER4", Family::kInteger, Scalar::kInt32, 4},
    {kCodeInteger8, "MPI_INTEGER8", Family::kInteger, Scalar::kInt64, 8},
    {kCodeInteger16, "MPI_INTEGER16", Family::kInteger, Scalar::kInt128, 16},
    {kCodeReal2, "MPI_REAL2", Family::kFloating, Scalar::kFloat16, 2},
    {kCodeCFloat16, "MPIX_C_FLOAT16", Family::kFloating, Scalar::kFloat16, 2},
    {kCodeReal4, "MPI_REAL4", Family::kFloating, Scalar::kFloat32, 4},
    {kCodeReal8, "MPI_REAL8", Family::kFloating, Scalar::kFloat64, 8},
    {kCodeReal16, "MPI_REAL16", Family::kFloating, Scalar::kFloat128, 16},
    {kCodeComplex4, "MPI_COMPLEX4", Family::kComplex, Scalar::kFloat16, 2},
    {kCodeComplex8, "MPI_COMPLEX8", Family::kComplex, Scalar::kFloat32, 4},
    {kCodeComplex16, "MPI_COMPLEX16", Family::kComplex, Scalar::kFloat64, 8},
    {kCodeComplex32, "MPI_COMPLEX32", Family::kComplex, Scalar::kFloat128, 16},
};

// Indexed by code - kFirstCode; family kNone where there is no such basic type on this machine.
constexpr std::array<BasicType, kCodes> kByCode = [] {
  std::array<BasicType, kCodes> table{};
  for (const BasicType& type : kBasicTypes)
    if (kShapes[static_cast<std::size_t>(type.scalar)].size > 0) table[type.code - kFirstCode] = type;
  return table;
}();

struct PairType {
  unsigned code;
  const char* name;
  unsigned value, index;
};
constexpr PairType kPairTypes[] = {
    {kCodeFloatInt, "MPI_FLOAT_INT", kCodeFloat, kCodeInt},
    {kCodeDoubleInt, "MPI_DOUBLE_INT", kCodeDouble, kCodeInt},
    {kCodeLongInt, "MPI_LONG_INT", kCodeLong, kCodeInt},
    {kCode2int, "MPI_2INT", kCodeInt, kCodeInt},
    {kCodeShortInt, "MPI_SHORT_INT", kCodeShort, kCodeInt},
    {kCodeLongDoubleInt, "MPI_LONG_DOUBLE_INT", kCodeLongDouble, kCodeInt},
    {kCode2real, "MPI_2REAL", kCodeReal, kCodeReal},
    {kCode2doublePrecision, "MPI_2DOUBLE_PRECISION", kCodeDoublePrecision, kCodeDoublePrecision},
    {kCode2integer, "MPI_2INTEGER", kCodeInteger, kCodeInteger},
};

constinit std::array<std::atomic<Datatype*>, kCodes> predefined_types{};

Datatype* make_basic_type(const BasicType& basic) {
  auto* type = new Datatype;
  type->code = static_cast<std::uint16_t>(basic.code);
  type->name = basic.name;
  datatype::Draft draft;
  draft.layout = Layout::run(basic.scalars() * size_of(basic.scalar));
  draft.ub = draft.layout.bytes();
  draft.alignment = alignment_of(basic.scalar);
  draft.basic = draft.unit = type;
  datatype::complete(*type, std::move(draft), Envelope{});
  type->permanent = type->committed = true;
  return type;
}

Datatype* make_predefined(unsigned code) {
  if (const BasicType* basic = datatype::basic_type(code)) return make_basic_type(*basic);
  for (const PairType& pair : kPairTypes) {
    if (pair.code == code)
      return datatype::make_pair_type(code, pair.name, *predefined_datatype(pair.value), *predefined_datatype(pair.index));
  }
  return nullptr;
}

}  // namespace

Count size_of(Scalar scalar) { return kShapes[static_cast<std::size_t>(scalar)].size; }
Count alignment_of(Scalar scalar) { return kShapes[static_cast<std::size_t>(scalar)].alignment; }

Datatype* predefined_datatype(unsigned code) {
  if (code - kFirstCode >= kCodes) return nullptr;
  std::atomic<Datatype*>& slot = predefined_types[code - kFirstCode];
  if (Datatype* type = slot.load(std::memory_order_acquire)) [[likely]]
    return type;
  Datatype* made = make_predefined(code);
  if (!made) return nullptr;
  Datatype* first = nullptr;
  if (slot.compare_exchange_strong(first, made, std::memory_order_acq_rel)) return made;
  delete made;  // another thread was faster
  return first;
}

namespace datatype {

const BasicType* basic_type(unsigned code) {
  if (code - kFirstCode >= kCodes) return nullptr;
  const BasicType& type = kByCode[code - kFirstCode];
  return type.family == Family::kNone ? nullptr : &type;
}

Datatype* make_pair_type(unsigned code, const char* name, Datatype& value, Datatype& index) {
  Datatype* type = code ? new Datatype : datatype_pool().create();
  type->code = static_cast<std::uint16_t>(code);
  type->name = name;
  Count place = (value.size + index.alignment - 1) / index.alignment * index.alignment;
  Bounds bounds;
  bounds.add(value, 0, 0);
  bounds.add(index, place, place);
  Draft draft;
  draft.layout = Layout::sequence({{0, *value.layout}, {place, *index.layout}});
  bounds.set(draft);
  draft.basic = value.basic == index.basic ? value.basic : nullptr;
  draft.unit = type;
  Envelope envelope;
  envelope.combiner = code ? kCombinerNamed : kCombinerValueIndex;
  envelope.types = {Ref(&value), Ref(&index)};
  complete(*type, std::move(draft), std::move(envelope));
  type->permanent = type->committed = true;
  return type;
}

}  // namespace datatype
}  // namespace starling
