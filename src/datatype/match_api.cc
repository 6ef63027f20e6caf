// SPDX-License-Identifier: BSD-3-Clause
// Predefined datatypes found by their properties: precision and range (MPI 5.0 section 19.1.5), size, value and index (6.9.4).
#include <cfloat>
#include <initializer_list>

#include "base/error.h"
#include "base/spinlock.h"
#include "datatype/build.h"
#include "datatype/entry.gen.h"
#include "datatype/op.h"
#include "datatype/scalar.h"

namespace starling::datatype {

namespace {

// Kinds of Fortran numbers: decimal precision and exponent range that SELECTED_REAL_KIND and SELECTED_INT_KIND compare with.
struct RealKind {
  int precision, range;
  unsigned real, complex;
};
constexpr RealKind kRealKinds[] = {
    {6, 37, kCodeReal4, kCodeComplex8},
    {15, 307, kCodeReal8, kCodeComplex16},
#if LDBL_MANT_DIG == 64
    {18, 4931, kCodeLongDouble, kCodeCLongDoubleComplex},  // REAL(10) of the x87
#endif
    {33, 4931, kCodeReal16, kCodeComplex32},
};

struct IntegerKind {
  int range;
  unsigned integer;
};
constexpr IntegerKind kIntegerKinds[] = {
    {2, kCodeInteger1}, {4, kCodeInteger2}, {9, kCodeInteger4}, {18, kCodeInteger8}, {38, kCodeInteger16},
};

// A type that is kept for ever. What it owns is named here a second time because leak checkers do not look into pools.
struct Kept {
  Datatype* type;
  std::shared_ptr<const Layout> layout;
  std::shared_ptr<const Envelope> envelope;
};

// Predefined types without a handle of their own, made on demand: equal arguments give the same type. A process makes a
// handful, so that a list does.
struct Unnamed {
  Spinlock lock;
  std::vector<Kept> types;
};
Unnamed& unnamed() {
  static Unnamed& only = *new Unnamed;
  return only;
}

bool same_contents(const Envelope& a, const Envelope& b) {
  if (a.combiner != b.combiner || a.integers != b.integers || a.types.size() != b.types.size()) return false;
  for (std::size_t i = 0; i < a.types.size(); ++i)
    if (a.types[i].get() != b.types[i].get()) return false;
  return true;
}

// The type with this envelope; make() makes it if there is none yet.
template <class Make>
Datatype* find_or_make(const Envelope& envelope, Make&& make) {
  Unnamed& all = unnamed();
  SpinGuard guard(all.lock);
  for (const Kept& kept : all.types)
    if (same_contents(*kept.envelope, envelope)) return kept.type;
  Datatype* made = make();
  all.types.push_back({made, made->layout, made->envelope});
  return made;
}

// A type like the named one, with its own envelope.
Datatype* f90_type(int combiner, std::initializer_list<int> arguments, unsigned code) {
  Datatype* like = predefined_datatype(code);
  if (!like) fail(kErrArg, "the machine has no numbers of this precision");
  Envelope envelope;
  envelope.combiner = combiner;
  envelope.integers = arguments;
  return find_or_make(envelope, [&] {
    Draft draft{*like->layout, like->lb, like->lb + like->extent, false, like->alignment, like->basic, like->unit};
    Datatype* type = make_type(std::move(draft), Envelope(envelope));
    type->permanent = type->committed = true;
    return type;
  });
}

const RealKind& real_kind(int p, int r) {
  if (p == kUndefined && r == kUndefined) fail(kErrArg, "p and r are both MPI_UNDEFINED");
  for (const RealKind& kind : kRealKinds)
    if (kind.precision >= p && kind.range >= r) return kind;
  fail(kErrArg, "there is no real number of precision %d and range %d", p, r);
}

unsigned code_of_size(int typeclass, int size) {
  constexpr unsigned kReals[] = {kCodeReal2, kCodeReal4, kCodeReal8, kCodeReal16};
  constexpr unsigned kComplexes[] = {kCodeComplex4, kCodeComplex8, kCodeComplex16, kCodeComplex32};
  constexpr unsigned kIntegers[] = {kCodeInteger1, kCodeInteger2, kCodeInteger4, kCodeInteger8, kCodeInteger16};
  auto find = [&](const auto& codes) {
    for (unsigned code : codes) {
      Datatype* type = predefined_datatype(code);
      if (type && type->size == size) return code;
    }
    fail(kErrArg, "there is no type of %d bytes in the given class", size);
  };
  switch (typeclass) {
    case kTypeclassReal:
      return find(kReals);
    case kTypeclassComplex:
      return find(kComplexes);
    case kTypeclassInteger:
      return find(kIntegers);
    default:
      fail(kErrArg, "typeclass is not MPI_TYPECLASS_INTEGER, _REAL or _COMPLEX");
  }
}

}  // namespace

void type_create_f90_real(int p, int r, Datatype*& newtype) {
  newtype = f90_type(kCombinerF90Real, {p, r}, real_kind(p, r).real);
}

void type_create_f90_complex(int p, int r, Datatype*& newtype) {
  newtype = f90_type(kCombinerF90Complex, {p, r}, real_kind(p, r).complex);
}

void type_create_f90_integer(int r, Datatype*& newtype) {
  for (const IntegerKind& kind : kIntegerKinds) {
    if (kind.range < r) continue;
    newtype = f90_type(kCombinerF90Integer, {r}, kind.integer);
    return;
  }
  fail(kErrArg, "there is no integer of range %d", r);
}

void type_match_size(int typeclass, int size, Datatype*& type) { type = predefined_datatype(code_of_size(typeclass, size)); }

void type_get_value_index(Datatype& value, Datatype& index, Datatype*& pair) {
  constexpr unsigned kNamed[] = {kCodeFloatInt,      kCodeDoubleInt, kCodeLongInt,          kCode2int,    kCodeShortInt,
                                 kCodeLongDoubleInt, kCode2real,     kCode2doublePrecision, kCode2integer};
  for (unsigned code : kNamed) {
    Datatype* named = predefined_datatype(code);
    if (named->envelope->types[0].get() == &value && named->envelope->types[1].get() == &index) {
      pair = named;
      return;
    }
  }
  pair = nullptr;  // the standard leaves it to us which pairs exist; the named ones are what programs ask for
}

}  // namespace starling::datatype
