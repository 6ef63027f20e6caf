// SPDX-License-Identifier: BSD-3-Clause
// The kernels of all instruction sets that this processor has: the same bits from each, for all short lengths and any
// alignment.
#include "datatype/kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace starling::op {
namespace {

constexpr std::size_t kMost = 70;  // elements: past all vector widths

std::vector<const KernelTable*> tables() {
  std::vector<const KernelTable*> list = {&kBaselineKernels, &best_kernels()};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) list.push_back(&kAvx2Kernels);
#endif
  return list;
}

// Numbers near one, whatever scalar is made of these bytes; zeros among them.
std::vector<std::byte> numbers(std::size_t bytes, unsigned factor) {
  std::vector<std::byte> data(bytes);
  for (std::size_t i = 0; i < bytes; ++i)
    data[i] = static_cast<std::byte>(i / 16 % 5 == 3 ? 0 : i % 8 == 7 ? 0x3f : (i * factor) & 0x7f);
  return data;
}

TEST(Kernels, InstructionSetsAgreeForAllLengthsAndAlignments) {
  constexpr std::size_t kRoom = 16 * 2 * kMost + 16;
  const auto left = numbers(kRoom, 37), right = numbers(kRoom, 91);
  for (std::size_t kernel = 0; kernel < kKernelOps; ++kernel)
    for (std::size_t scalar = 0; scalar < kScalars; ++scalar) {
      const Kernel baseline = kBaselineKernels.kernels[kernel][scalar];
      if (!baseline || static_cast<Scalar>(scalar) == Scalar::kLongDouble) continue;  // 80-bit patterns may be invalid
      const auto size = static_cast<std::size_t>(size_of(static_cast<Scalar>(scalar)));
      for (std::size_t n = 0; n <= 2 * kMost; n += 2)
        for (std::size_t offset : {0, 1, 8}) {
          std::vector<std::byte> expected(kRoom, std::byte{0x5a});
          // Element by element: no vector is ever filled.
          for (std::size_t i = 0; i < n; i += 2)
            baseline(left.data() + offset + i * size, right.data() + i * size, expected.data() + offset + i * size, 2);
          for (const KernelTable* table : tables()) {
            std::vector<std::byte> got(kRoom, std::byte{0x5a});
            table->kernels[kernel][scalar](left.data() + offset, right.data(), got.data() + offset, n);
            ASSERT_EQ(got, expected) << "operation " << kernel << ", scalar " << scalar << ", " << n << " scalars";
          }
        }
    }
}

template <class T>
void check_special_values(Scalar scalar) {
  using Limits = std::numeric_limits<T>;
  const T nan = Limits::quiet_NaN(), infinity = Limits::infinity(), zero = 0;
  const T values[] = {nan, infinity, -infinity, zero, -zero, Limits::max(), -Limits::max(), Limits::min(), Limits::denorm_min(),
                      1};
  std::vector<T> left, right;
  for (T a : values)
    for (T b : values) left.push_back(a), right.push_back(b);
  auto check = [&](KernelOp op, auto&& definition) {
    for (const KernelTable* table : tables()) {
      std::vector<T> got(left.size());
      table->at(op, scalar)(left.data(), right.data(), got.data(), got.size());
      for (std::size_t i = 0; i < got.size(); ++i) {
        const T expected = definition(left[i], right[i]);
        EXPECT_EQ(std::isnan(got[i]), std::isnan(expected)) << left[i] << ", " << right[i];
        if (!std::isnan(expected)) {
          EXPECT_EQ(got[i], expected) << left[i] << ", " << right[i];
          EXPECT_EQ(std::signbit(got[i]), std::signbit(expected)) << left[i] << ", " << right[i];
        }
      }
    }
  };
  check(KernelOp::kSum, [](T a, T b) { return a + b; });
  check(KernelOp::kProduct, [](T a, T b) { return a * b; });
  check(KernelOp::kMin, [](T a, T b) { return a < b ? a : b; });
  check(KernelOp::kMax, [](T a, T b) { return a > b ? a : b; });
}

TEST(Kernels, NansZerosAndOverflow) {
  check_special_values<float>(Scalar::kFloat32);
  check_special_values<double>(Scalar::kFloat64);
  check_special_values<long double>(Scalar::kLongDouble);
}

TEST(Kernels, IntegersWrap) {
  for (const KernelTable* table : tables()) {
    std::vector<std::int32_t> a(kMost, INT32_MAX), b(kMost, 2);
    table->at(KernelOp::kSum, Scalar::kInt32)(a.data(), b.data(), b.data(), kMost);
    EXPECT_EQ(b, std::vector<std::int32_t>(kMost, INT32_MIN + 1));
    std::vector<std::int8_t> c(kMost, 100), d(kMost, 3);
    table->at(KernelOp::kProduct, Scalar::kInt8)(c.data(), d.data(), d.data(), kMost);
    EXPECT_EQ(d, std::vector<std::int8_t>(kMost, 44));
  }
}

template <class Value, class Index>
void check_locations(Scalar value, Scalar index) {
  struct Pair {
    Value value;
    Index index;
  };
  constexpr std::size_t kRoom = (kMost + 1) * sizeof(Pair);
  auto fill = [](std::byte* to, std::size_t i, int v, int j) {
    const Value a = static_cast<Value>(v);
    const Index b = static_cast<Index>(j);
    std::memcpy(to + i * sizeof(Pair), &a, sizeof a);
    std::memcpy(to + i * sizeof(Pair) + offsetof(Pair, index), &b, sizeof b);
  };
  for (bool maximum : {false, true})
    for (const KernelTable* table : tables())
      for (std::size_t n = 0; n <= kMost; ++n) {
        std::vector<std::byte> left(kRoom, std::byte{1}), right(kRoom, std::byte{2}), got(kRoom, std::byte{0x5a}),
            expected = got;
        for (std::size_t i = 0; i < n; ++i) {
          const int at = static_cast<int>(i), x = at * 7 % 5, y = at * 3 % 5, j = at % 7, k = at * 2 % 7;
          fill(left.data() + 1, i, x, j);
          fill(right.data() + 1, i, y, k);
          const bool first = x == y ? j < k : (x > y) == maximum;
          fill(expected.data() + 1, i, first ? x : y, first ? j : k);
        }
        const Kernel kernel = locate_kernel(*table, maximum, value, index);
        ASSERT_NE(kernel, nullptr);
        kernel(left.data() + 1, right.data() + 1, got.data() + 1, n);
        ASSERT_EQ(got, expected) << "also between the parts, " << n << " pairs";
        kernel(left.data() + 1, right.data() + 1, left.data() + 1, n);
        kernel(left.data() + 1, right.data() + 1, right.data() + 1, n);
        for (std::size_t i = 0; i < n; ++i)
          for (std::size_t b = 0; b < sizeof(Value); ++b) {
            const std::size_t at = 1 + i * sizeof(Pair) + b;
            ASSERT_EQ(left[at], expected[at]);
            ASSERT_EQ(right[at], expected[at]);
          }
      }
}

TEST(Kernels, Locations) {
  check_locations<float, std::int32_t>(Scalar::kFloat32, Scalar::kInt32);
  check_locations<double, std::int32_t>(Scalar::kFloat64, Scalar::kInt32);
  check_locations<std::int64_t, std::int32_t>(Scalar::kInt64, Scalar::kInt32);
  check_locations<std::int32_t, std::int32_t>(Scalar::kInt32, Scalar::kInt32);
  check_locations<std::int16_t, std::int32_t>(Scalar::kInt16, Scalar::kInt32);
  check_locations<std::int8_t, std::int64_t>(Scalar::kInt8, Scalar::kInt64);
  check_locations<std::uint32_t, std::int64_t>(Scalar::kUint32, Scalar::kInt64);
  check_locations<float, float>(Scalar::kFloat32, Scalar::kFloat32);
  check_locations<double, double>(Scalar::kFloat64, Scalar::kFloat64);
  EXPECT_EQ(locate_kernel(kBaselineKernels, true, Scalar::kFloat32, Scalar::kInt16), nullptr);
  EXPECT_EQ(locate_kernel(kBaselineKernels, true, Scalar::kInt128, Scalar::kInt32), nullptr);
}

// A NaN is neither smaller nor equal: the right pair is taken.
TEST(Kernels, LocationsOfNans) {
  struct Pair {
    double value;
    int index;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Pair left[2] = {{nan, 1}, {1, 2}}, right[2] = {{5, 3}, {nan, 4}};
  for (const KernelTable* table : tables()) {
    Pair out[2];
    locate_kernel(*table, false, Scalar::kFloat64, Scalar::kInt32)(left, right, out, 2);
    EXPECT_EQ(out[0].index, 3);
    EXPECT_EQ(out[1].index, 4);
  }
}

}  // namespace
}  // namespace starling::op
