// SPDX-License-Identifier: BSD-3-Clause
// The choice of an instruction set.
#include "datatype/kernels.h"

#include <cstddef>

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

Kernel locate_kernel(const KernelTable& table, bool maximum, Scalar value, Scalar index) {
  const bool same = value == index && (value == Scalar::kFloat32 || value == Scalar::kFloat64);
  if (!same && index != Scalar::kInt32 && index != Scalar::kInt64) return nullptr;
  const IndexKind kind = same ? IndexKind::kValue : index == Scalar::kInt32 ? IndexKind::kInt32 : IndexKind::kInt64;
  return table.locations[static_cast<std::size_t>(value)][static_cast<std::size_t>(kind)][maximum];
}

}  // namespace starling::op
