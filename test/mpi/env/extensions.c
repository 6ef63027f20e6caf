// SPDX-License-Identifier: BSD-3-Clause
// mpi-ext.h: what is said at compile time holds at run time.
// run: oracle=no
#include "../check.h"

#if defined(__has_include)
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#endif

static void gpus(void) {
#if defined(MPIX_CUDA_AWARE_SUPPORT) && defined(MPIX_GPU_SUPPORT_CUDA)
  int supported = -1;
  CHECK_EQ(MPIX_Query_cuda_support(), MPIX_CUDA_AWARE_SUPPORT);
  CHECK_EQ(MPIX_Query_rocm_support(), MPIX_ROCM_AWARE_SUPPORT);
  CHECK_EQ(MPIX_Query_hip_support(), MPIX_ROCM_AWARE_SUPPORT);
  CHECK_EQ(MPIX_Query_ze_support(), MPIX_ZE_AWARE_SUPPORT);
  CHECK_OK(MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &supported));
  CHECK_EQ(supported, MPIX_CUDA_AWARE_SUPPORT);
  CHECK_CLASS(MPIX_GPU_query_support(77, &supported), MPI_ERR_ARG);
#endif
}

static const CheckCase kCases[] = {{"memory of GPUs", gpus, 0}};
CHECK_MAIN(kCases)
