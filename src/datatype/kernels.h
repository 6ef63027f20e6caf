// SPDX-License-Identifier: BSD-3-Clause
// The loops of the predefined reduction operations: written once (kernels.inc) as templates over operation and scalar, compiled
// for several instruction sets, chosen by what the processor has (DESIGN D9).
#pragma once

#include <cstddef>
#include <cstdint>

#include "datatype/scalar.h"

namespace starling::op {

// out[i] = left[i] op right[i] for n scalars (for complex numbers twice as many as numbers). `out` may be one of the operands;
// apart from that nothing overlaps. Any alignment. Where min and max cannot tell (a NaN, zeros of both signs), the right
// operand is the result.
using Kernel = void (*)(const void* left, const void* right, void* out, std::size_t n);

enum class KernelOp : std::uint8_t {
  kSum,
  kProduct,
  kComplexProduct,
  kMin,
  kMax,
  kLogicalAnd,
  kLogicalOr,
  kLogicalXor,
  kBitAnd,
  kBitOr,
  kBitXor,
};
inline constexpr std::size_t kKernelOps = 11;

// What the index of a pair of value and index is: an integer, or of the type of the value.
enum class IndexKind : std::uint8_t { kInt32, kInt64, kValue };
inline constexpr std::size_t kIndexKinds = 3;

// nullptr where the operation does not exist for the scalar.
struct KernelTable {
  Kernel kernels[kKernelOps][kScalars];
  Kernel locations[kScalars][kIndexKinds][2];  // MPI_MINLOC and MPI_MAXLOC, n in pairs
  Kernel at(KernelOp op, Scalar scalar) const {
    return kernels[static_cast<std::size_t>(op)][static_cast<std::size_t>(scalar)];
  }
};

extern const KernelTable kBaselineKernels;  // what every processor of the architecture can do
#if defined(__x86_64__)
extern const KernelTable kAvx2Kernels;
extern const KernelTable kAvx512Kernels;
#endif

// The fastest table that this processor can run.
const KernelTable& best_kernels();

// MPI_MINLOC or MPI_MAXLOC on structs of value and index, laid out as C does. nullptr for types without it.
Kernel locate_kernel(const KernelTable& table, bool maximum, Scalar value, Scalar index);

}  // namespace starling::op
