// SPDX-License-Identifier: BSD-3-Clause
// The loops of the predefined reduction operations: written once (kernels.inc) as templates over operation and scalar, compiled
// for several instruction sets, chosen by what the processor has (DESIGN D9).
#pragma once

#include <cstddef>
#include <cstdint>

#include "datatype/scalar.h"

namespace starling::op {

// inout[i] = in[i] op inout[i] for n scalars (for complex numbers twice as many as numbers). The two do not overlap; any
// alignment.
using Kernel = void (*)(const void* in, void* inout, std::size_t n);

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

// nullptr where the operation does not exist for the scalar.
struct KernelTable {
  Kernel kernels[kKernelOps][kScalars];
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

// MPI_MINLOC or MPI_MAXLOC on n structs of value and index, laid out as C does. nullptr for types without it.
Kernel locate_kernel(bool maximum, Scalar value, Scalar index);

}  // namespace starling::op
