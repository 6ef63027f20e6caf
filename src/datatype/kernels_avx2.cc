// SPDX-License-Identifier: BSD-3-Clause
// The reduction kernels for x86-64 processors with AVX2.
#if defined(__x86_64__)
#include "datatype/kernels.h"

// Multiplication and addition stay two steps, so that all processors of a job compute the same bits.
#if defined(__clang__)
#pragma clang fp contract(off)
#pragma clang attribute push(__attribute__((target("avx2,f16c"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC optimize("O3,fp-contract=off")
#pragma GCC target("avx2,f16c")
#endif

namespace starling::op {

namespace {
#include "datatype/kernels.inc"
}  // namespace

constinit const KernelTable kAvx2Kernels = make_table();

}  // namespace starling::op

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif  // __x86_64__
