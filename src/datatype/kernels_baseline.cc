// SPDX-License-Identifier: BSD-3-Clause
// The reduction kernels for every processor of the architecture.
#include "datatype/kernels.h"

#if !defined(__clang__)
#pragma GCC optimize("O3")  // GCC 12 vectorises these loops at no lower level
#endif

namespace starling::op {

namespace {
#include "datatype/kernels.inc"
}  // namespace

constinit const KernelTable kBaselineKernels = make_table();

}  // namespace starling::op
