// SPDX-License-Identifier: BSD-3-Clause
// The choice of an instruction set, and the kernels that gain nothing from one.
#include "datatype/kernels.h"

#include <cstddef>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace starling::op {

#if defined(__x86_64__)
namespace {

// Half-precision conversion; not every compiler's __builtin_cpu_supports knows it.
bool has_f16c() {
  unsigned eax, ebx, ecx, edx;
  return __get_cpuid(1, &eax, &ebx, &ecx, &edx) && (ecx & bit_F16C);
}

const KernelTable& choose() {
  if (!has_f16c() || !__builtin_cpu_supports("avx2")) return kBaselineKernels;
  bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
              __builtin_cpu_supports("avx512vl");
  return wide ? kAvx512Kernels : kAvx2Kernels;
}

}  // namespace

const KernelTable& best_kernels() {
  static const KernelTable& best = choose();
  return best;
}
#else
const KernelTable& best_kernels() { return kBaselineKernels; }
#endif

namespace {

// The smaller index wins a tie, so that the result does not depend on the order of the ranks.
template <bool kMaximum, class Value, class Index>
void locate(const void* in, void* inout, std::size_t n) {
  struct Pair {
    Value value;
    Index index;
  };
  auto* from = static_cast<const std::byte*>(in);
  auto* to = static_cast<std::byte*>(inout);
  for (std::size_t i = 0; i < n; ++i, from += sizeof(Pair), to += sizeof(Pair)) {
    Pair a, b;
    std::memcpy(&a, from, sizeof a);
    std::memcpy(&b, to, sizeof b);
    bool better = kMaximum ? a.value > b.value : a.value < b.value;
    if (better || (a.value == b.value && a.index < b.index)) {
      std::memcpy(to, &a.value, sizeof(Value));
      std::memcpy(to + offsetof(Pair, index), &a.index, sizeof(Index));
    }
  }
}

template <class Value>
Kernel locate_by_index(bool maximum, Scalar index) {
  switch (index) {
    case Scalar::kInt32:
      return maximum ? locate<true, Value, std::int32_t> : locate<false, Value, std::int32_t>;
    case Scalar::kInt64:
      return maximum ? locate<true, Value, std::int64_t> : locate<false, Value, std::int64_t>;
    default:
      return nullptr;
  }
}

// The index of a pair of Fortran reals is a real.
template <class Value>
Kernel locate_with_real_index(bool maximum, Scalar value, Scalar index) {
  if (index != value) return locate_by_index<Value>(maximum, index);
  return maximum ? locate<true, Value, Value> : locate<false, Value, Value>;
}

}  // namespace

Kernel locate_kernel(bool maximum, Scalar value, Scalar index) {
  switch (value) {
    case Scalar::kInt8:
      return locate_by_index<std::int8_t>(maximum, index);
    case Scalar::kInt16:
      return locate_by_index<std::int16_t>(maximum, index);
    case Scalar::kInt32:
      return locate_by_index<std::int32_t>(maximum, index);
    case Scalar::kInt64:
      return locate_by_index<std::int64_t>(maximum, index);
    case Scalar::kUint8:
      return locate_by_index<std::uint8_t>(maximum, index);
    case Scalar::kUint16:
      return locate_by_index<std::uint16_t>(maximum, index);
    case Scalar::kUint32:
      return locate_by_index<std::uint32_t>(maximum, index);
    case Scalar::kUint64:
      return locate_by_index<std::uint64_t>(maximum, index);
    case Scalar::kFloat32:
      return locate_with_real_index<float>(maximum, value, index);
    case Scalar::kFloat64:
      return locate_with_real_index<double>(maximum, value, index);
    case Scalar::kLongDouble:
      return locate_by_index<long double>(maximum, index);
    default:
      return nullptr;
  }
}

}  // namespace starling::op
