// SPDX-License-Identifier: BSD-3-Clause
// The functions of mpi-ext.h: whether messages may lie in the memory of GPUs.
#include <iterator>

#include "codec.h"

#define STARLING_EXPORT __attribute__((visibility("default")))

namespace {

// The answer for each kind of GPU, in the order of MPIX_GPU_SUPPORT_*: no transport moves such memory.
constexpr int kSupported[] = {0, 0, 0};
enum Gpu { kCuda, kZe, kHip };

}  // namespace

extern "C" {

STARLING_EXPORT int MPIX_Query_cuda_support(void) { return kSupported[kCuda]; }
STARLING_EXPORT int MPIX_Query_ze_support(void) { return kSupported[kZe]; }
STARLING_EXPORT int MPIX_Query_hip_support(void) { return kSupported[kHip]; }
STARLING_EXPORT int MPIX_Query_rocm_support(void) { return kSupported[kHip]; }

STARLING_EXPORT int MPIX_GPU_query_support(int gpu_type, int* is_supported) {
  if (gpu_type < 0 || gpu_type >= static_cast<int>(std::size(kSupported)) || !is_supported) return MPI_ERR_ARG;
  *is_supported = kSupported[gpu_type];
  return MPI_SUCCESS;
}
}
