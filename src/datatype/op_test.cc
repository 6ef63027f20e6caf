// SPDX-License-Identifier: BSD-3-Clause
// Every operation on every predefined type, by every instruction set, against the C++ operators.
#include "datatype/op.h"

#include <gtest/gtest.h>

#include <climits>
#include <complex>
#include <cstring>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "datatype/datatype.h"
#include "datatype/entry.gen.h"
#include "datatype/envelope.h"
#include "datatype/kernels.h"

namespace starling {
namespace {

constexpr unsigned kAllOps[] = {kCodeSum,  kCodeMin, kCodeMax,  kCodeProd,   kCodeBand,   kCodeBor,     kCodeBxor,
                                kCodeLand, kCodeLor, kCodeLxor, kCodeMinloc, kCodeMaxloc, kCodeReplace, kCodeNoOp};

// Which groups of operations a type has (MPI 5.0 table 6.1).
enum : unsigned { kArithmetic = 1, kOrder = 2, kLogic = 4, kBits = 8 };

unsigned group_of(unsigned op) {
  switch (op) {
    case kCodeSum:
    case kCodeProd:
      return kArithmetic;
    case kCodeMin:
    case kCodeMax:
      return kOrder;
    case kCodeLand:
    case kCodeLor:
    case kCodeLxor:
      return kLogic;
    case kCodeBand:
    case kCodeBor:
    case kCodeBxor:
      return kBits;
    default:
      return 0;
  }
}

template <class T>
T wrapped(auto operation, T a, T b) {
  if constexpr (std::is_integral_v<T> && sizeof(T) < 16) {
    return static_cast<T>(operation(static_cast<unsigned long long>(a), static_cast<unsigned long long>(b)));
  } else {
    return operation(a, b);
  }
}

template <unsigned kGroups, class T>
T reference(unsigned op, T a, T b) {
  if constexpr (kGroups & kArithmetic) {
    if (op == kCodeSum) return wrapped<T>([](auto x, auto y) { return x + y; }, a, b);
    if (op == kCodeProd) return wrapped<T>([](auto x, auto y) { return x * y; }, a, b);
  }
  if constexpr (kGroups & kOrder) {
    if (op == kCodeMin) return b < a ? b : a;
    if (op == kCodeMax) return a < b ? b : a;
  }
  if constexpr (kGroups & kLogic) {
    if (op == kCodeLand) return static_cast<T>(a && b);
    if (op == kCodeLor) return static_cast<T>(a || b);
    if (op == kCodeLxor) return static_cast<T>(!a != !b);
  }
  if constexpr (kGroups & kBits) {
    if (op == kCodeBand) return static_cast<T>(a & b);
    if (op == kCodeBor) return static_cast<T>(a | b);
    if (op == kCodeBxor) return static_cast<T>(a ^ b);
  }
  ADD_FAILURE() << "no reference for operation " << op;
  return a;
}

// Small numbers of both signs, zeros among them; products stay exact in all floating types.
template <class T>
struct Value {
  static T make(int i) { return static_cast<T>(i % 7 - 3); }
};
template <class T>
struct Value<std::complex<T>> {
  static std::complex<T> make(int i) { return {static_cast<T>(i % 5 - 2), static_cast<T>(i % 3 - 1)}; }
};
template <>
struct Value<bool> {
  static bool make(int i) { return i % 3 == 0; }
};

template <unsigned kGroups, class T>
void check_type(unsigned code) {
  Datatype* type = predefined_datatype(code);
  ASSERT_NE(type, nullptr) << code;
  SCOPED_TRACE(type->name);
  ASSERT_EQ(type->size, static_cast<Count>(sizeof(T)));
  for (unsigned op_code : kAllOps) {
    Op& op = *predefined_op(op_code);
    EXPECT_EQ(op::allowed(op, *type), (group_of(op_code) & kGroups) != 0) << "operation " << op_code;
    if (!(group_of(op_code) & kGroups)) continue;
    for (int n = 0; n <= 300; n += n == 70 ? 230 : 1) {
      auto count = static_cast<std::size_t>(n);
      std::vector<std::byte> in(count * sizeof(T) + 1), inout(in.size()), third(in.size() + 1);
      std::byte *left = in.data() + 1, *right = inout.data() + 1, *out = third.data() + 1;  // any alignment
      std::vector<T> expected;
      for (int i = 0; i < n; ++i) {
        T a = Value<T>::make(i), b = Value<T>::make(5 * i / 3 + 1);
        std::memcpy(left + static_cast<std::size_t>(i) * sizeof(T), &a, sizeof(T));
        std::memcpy(right + static_cast<std::size_t>(i) * sizeof(T), &b, sizeof(T));
        expected.push_back(reference<kGroups, T>(op_code, a, b));
      }
      auto compare = [&](const std::byte* result, const char* form) {
        for (std::size_t i = 0; i < count; ++i) {
          T got;
          std::memcpy(static_cast<void*>(&got), result + i * sizeof(T), sizeof(T));
          ASSERT_TRUE(got == expected[i]) << form << ", operation " << op_code << ", element " << i << " of " << n;
        }
      };
      third.back() = std::byte{0x5a};
      op::combine(op, left, right, out, n, *type);
      compare(out, "out of place");
      EXPECT_EQ(third.back(), std::byte{0x5a});
      std::memcpy(out, left, count * sizeof(T));
      op::combine(op, out, right, out, n, *type);
      compare(out, "over the left operand");
      op::reduce(op, left, right, n, *type);
      compare(right, "in place");
    }
  }
}

constexpr unsigned kInteger = kArithmetic | kOrder | kLogic | kBits;
constexpr unsigned kReal = kArithmetic | kOrder;

TEST(Op, IntegersOfC) {
  check_type<kInteger, signed char>(kCodeSignedChar);
  check_type<kInteger, unsigned char>(kCodeUnsignedChar);
  check_type<kInteger, char>(kCodeChar);
  check_type<kInteger, short>(kCodeShort);
  check_type<kInteger, unsigned short>(kCodeUnsignedShort);
  check_type<kInteger, int>(kCodeInt);
  check_type<kInteger, unsigned>(kCodeUnsigned);
  check_type<kInteger, long>(kCodeLong);
  check_type<kInteger, unsigned long>(kCodeUnsignedLong);
  check_type<kInteger, long long>(kCodeLongLong);
  check_type<kInteger, unsigned long long>(kCodeUnsignedLongLong);
  check_type<kInteger, std::int8_t>(kCodeInt8T);
  check_type<kInteger, std::int16_t>(kCodeInt16T);
  check_type<kInteger, std::int32_t>(kCodeInt32T);
  check_type<kInteger, std::int64_t>(kCodeInt64T);
  check_type<kInteger, std::uint8_t>(kCodeUint8T);
  check_type<kInteger, std::uint16_t>(kCodeUint16T);
  check_type<kInteger, std::uint32_t>(kCodeUint32T);
  check_type<kInteger, std::uint64_t>(kCodeUint64T);
  check_type<kInteger, Aint>(kCodeAint);
  check_type<kInteger, Offset>(kCodeOffset);
  check_type<kInteger, Count>(kCodeCount);
}

TEST(Op, IntegersOfFortran) {
  check_type<kInteger, char>(kCodeCharacter);
  check_type<kInteger, std::int32_t>(kCodeInteger);
  check_type<kInteger, std::int8_t>(kCodeInteger1);
  check_type<kInteger, std::int16_t>(kCodeInteger2);
  check_type<kInteger, std::int32_t>(kCodeInteger4);
  check_type<kInteger, std::int64_t>(kCodeInteger8);
#ifdef STARLING_HAS_INT128
  check_type<kInteger, Int128>(kCodeInteger16);
#endif
}

TEST(Op, FloatingAndComplex) {
  check_type<kReal, float>(kCodeFloat);
  check_type<kReal, double>(kCodeDouble);
  check_type<kReal, long double>(kCodeLongDouble);
  check_type<kReal, float>(kCodeReal);
  check_type<kReal, double>(kCodeDoublePrecision);
  check_type<kReal, float>(kCodeReal4);
  check_type<kReal, double>(kCodeReal8);
#ifdef STARLING_HAS_FLOAT16
  check_type<kReal, Float16>(kCodeReal2);
#endif
#ifdef STARLING_HAS_FLOAT128
  check_type<kReal, Float128>(kCodeReal16);
#endif
  check_type<kArithmetic, std::complex<float>>(kCodeCFloatComplex);
  check_type<kArithmetic, std::complex<double>>(kCodeCDoubleComplex);
  check_type<kArithmetic, std::complex<long double>>(kCodeCLongDoubleComplex);
  check_type<kArithmetic, std::complex<float>>(kCodeCxxFloatComplex);
  check_type<kArithmetic, std::complex<double>>(kCodeCxxDoubleComplex);
  check_type<kArithmetic, std::complex<long double>>(kCodeCxxLongDoubleComplex);
  check_type<kArithmetic, std::complex<float>>(kCodeComplex);
  check_type<kArithmetic, std::complex<double>>(kCodeDoubleComplex);
  check_type<kArithmetic, std::complex<float>>(kCodeComplex8);
  check_type<kArithmetic, std::complex<double>>(kCodeComplex16);
}

TEST(Op, LogicalAndBytes) {
  check_type<kLogic, bool>(kCodeCBool);
  check_type<kLogic, bool>(kCodeCxxBool);
  check_type<kLogic, std::uint32_t>(kCodeLogical);
  check_type<kLogic, std::uint8_t>(kCodeLogical1);
  check_type<kLogic, std::uint16_t>(kCodeLogical2);
  check_type<kLogic, std::uint32_t>(kCodeLogical4);
  check_type<kLogic, std::uint64_t>(kCodeLogical8);
  check_type<kBits, std::uint8_t>(kCodeByte);
  check_type<0, std::uint8_t>(kCodePacked);
  check_type<0, wchar_t>(kCodeWchar);
}

template <class V, class I>
void check_pair(Datatype& type) {
  struct Pair {
    V value;
    I index;
  };
  SCOPED_TRACE(type.name);
  EXPECT_EQ(type.extent, static_cast<Count>(sizeof(Pair)));
  EXPECT_EQ(type.size, static_cast<Count>(sizeof(V) + sizeof(I)));
  Pair in[3] = {{V(1), I(5)}, {V(2), I(1)}, {V(3), I(9)}};
  for (bool maximum : {false, true}) {
    Pair inout[3] = {{V(2), I(4)}, {V(2), I(3)}, {V(2), I(8)}};
    op::reduce(*predefined_op(maximum ? kCodeMaxloc : kCodeMinloc), in, inout, 3, type);
    const Pair& first = maximum ? Pair{V(2), I(4)} : in[0];
    const Pair& last = maximum ? in[2] : Pair{V(2), I(8)};
    EXPECT_EQ(inout[0].value, first.value);
    EXPECT_EQ(inout[0].index, first.index);
    EXPECT_EQ(inout[1].index, I(1));  // a tie: the smaller index
    EXPECT_EQ(inout[2].value, last.value);
    EXPECT_EQ(inout[2].index, last.index);
  }
  EXPECT_FALSE(op::allowed(*predefined_op(kCodeSum), type));
}

TEST(Op, Pairs) {
  check_pair<float, int>(*predefined_datatype(kCodeFloatInt));
  check_pair<double, int>(*predefined_datatype(kCodeDoubleInt));
  check_pair<long, int>(*predefined_datatype(kCodeLongInt));
  check_pair<int, int>(*predefined_datatype(kCode2int));
  check_pair<short, int>(*predefined_datatype(kCodeShortInt));
  check_pair<long double, int>(*predefined_datatype(kCodeLongDoubleInt));
  check_pair<float, float>(*predefined_datatype(kCode2real));
  check_pair<double, double>(*predefined_datatype(kCode2doublePrecision));
  check_pair<int, int>(*predefined_datatype(kCode2integer));
}

TEST(Op, TypesDerivedFromOnePredefinedType) {
  Datatype* gaps;
  datatype::type_vector(600, 1, 3, *predefined_datatype(kCodeInt), gaps, false);
  std::vector<int> in(3 * 2 * 600, 2), inout(in.size(), 5);
  op::reduce(*predefined_op(kCodeSum), in.data(), inout.data(), 2, *gaps);
  for (std::size_t i = 0; i < inout.size(); ++i) {
    std::size_t element = i % (3 * 599 + 1);  // the extent ends with the last block
    bool touched = i < 2 * (3 * 599 + 1) && element % 3 == 0;
    ASSERT_EQ(inout[i], touched ? 7 : 5) << i;
  }
  EXPECT_FALSE(op::allowed(*predefined_op(kCodeSum), *gaps));
  EXPECT_TRUE(op::accumulable(*predefined_op(kCodeSum), *gaps));
  EXPECT_FALSE(op::accumulable(*predefined_op(kCodeMaxloc), *gaps));
  release(gaps);

  struct Pair {
    short value;
    int index;
  };
  Datatype* pairs;
  datatype::type_vector(2, 1, 2, *predefined_datatype(kCodeShortInt), pairs, false);
  Pair a[3] = {{1, 1}, {2, 2}, {3, 3}}, b[3] = {{2, 7}, {0, 8}, {1, 9}};
  op::reduce(*predefined_op(kCodeMaxloc), a, b, 1, *pairs);
  EXPECT_EQ(b[0].index, 7);
  EXPECT_EQ(b[1].index, 8);
  EXPECT_EQ(b[2].index, 3);
  EXPECT_EQ(b[2].value, 3);
  release(pairs);
}

TEST(Op, ReplaceAndNothing) {
  int in[2] = {1, 2}, inout[2] = {3, 4};
  op::reduce(*predefined_op(kCodeNoOp), in, inout, 2, *predefined_datatype(kCodeInt));
  EXPECT_EQ(inout[0], 3);
  op::reduce(*predefined_op(kCodeReplace), in, inout, 2, *predefined_datatype(kCodeInt));
  EXPECT_EQ(inout[1], 2);
  EXPECT_FALSE(predefined_op(kCodeReplace)->commutative);
}

TEST(Op, WrongTypesAreErrors) {
  double in = 1, inout = 2;
  try {
    op::reduce(*predefined_op(kCodeBand), &in, &inout, 1, *predefined_datatype(kCodeDouble));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.error_class, kErrOp);
    EXPECT_NE(error.message.find("MPI_DOUBLE"), std::string::npos);
  }
  EXPECT_EQ(predefined_op(0x25), nullptr);
}

struct UserCall {
  const void* in;
  void* inout;
  Count count;
  bool large;
};
std::vector<UserCall> user_calls;
void record_call(void*, bool large, const void* in, void* inout, Count count, Datatype&) {
  user_calls.push_back({in, inout, count, large});
}

TEST(Op, UsersFunctionsGetAtMostAnIntAtATime) {
  CallbackAbi abi{};
  abi.op = record_call;
  for (bool large : {false, true}) {
    Op* op;
    op::op_create(Callback{&user_calls, &abi, large}, false, op);
    bool commutative = true;
    op::op_commutative(*op, commutative);
    EXPECT_FALSE(commutative);
    Count count = Count{INT_MAX} + 5;
    user_calls.clear();
    op::reduce(*op, nullptr, nullptr, count, *predefined_datatype(kCodeInt));
    ASSERT_EQ(user_calls.size(), large ? 1U : 2U);
    EXPECT_EQ(user_calls[0].count, large ? count : INT_MAX);
    EXPECT_EQ(user_calls[0].large, large);
    if (!large) {
      EXPECT_EQ(user_calls[1].count, 5);
      EXPECT_EQ(reinterpret_cast<Count>(user_calls[1].in), 4 * Count{INT_MAX});
    }
    op::op_free(op);
    EXPECT_EQ(op, nullptr);
  }
}

// Subtraction shows which operand is which.
void subtract(void*, bool, const void* in, void* inout, Count count, Datatype&) {
  for (Count i = 0; i < count; ++i) static_cast<int*>(inout)[i] = static_cast<const int*>(in)[i] - static_cast<int*>(inout)[i];
}

TEST(Op, UsersFunctionsWithAPlaceForTheResult) {
  CallbackAbi abi{};
  abi.op = subtract;
  Op* op;
  op::op_create(Callback{&abi, &abi, true}, false, op);
  Datatype& type = *predefined_datatype(kCodeInt);
  int left[2] = {10, 20}, right[2] = {1, 2}, out[2];
  op::combine(*op, left, right, out, 2, type);
  EXPECT_EQ(out[1], 18);
  EXPECT_EQ(right[1], 2) << "the operands stay";
  EXPECT_EQ(left[1], 20);
  op::combine(*op, left, right, left, 2, type);
  EXPECT_EQ(left[1], 18);
  right[1] = 5;
  op::combine(*op, left, right, right, 2, type);
  EXPECT_EQ(right[1], 13);
  op::op_free(op);
}

}  // namespace
}  // namespace starling
