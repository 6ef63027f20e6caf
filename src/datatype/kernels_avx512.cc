// SPDX-License-Identifier: BSD-3-Clause
// The reduction kernels for x86-64 processors with AVX-512.
#if defined(__x86_64__)
#include "datatype/kernels.h"

// Multiplication and addition stay two steps, so that all processors of a job compute the same bits.
#if defined(__clang__)
#pragma clang fp contract(off)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,f16c"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC optimize("O3,fp-contract=off")
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,f16c,prefer-vector-width=512")
#endif

namespace starling::op {

namespace {
#include "datatype/kernels.inc"
}  // namespace

constinit const KernelTable kAvx512Kernels = make_table();

}  // namespace starling::op

#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif  // __x86_64__
