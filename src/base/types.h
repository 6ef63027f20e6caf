// SPDX-License-Identifier: BSD-3-Clause
// Scalar types and small helpers that every layer uses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace starling {

using Count = std::int64_t;   // MPI_Count: every count, extent and displacement inside the core
using Aint = std::intptr_t;   // MPI_Aint
using Offset = std::int64_t;  // MPI_Offset

// Index of a process in the worker's peer table. Peers 0..n-1 are the ranks of MPI_COMM_WORLD.
using Peer = std::uint32_t;

inline constexpr std::size_t kCacheLine = 64;

inline void* const kInPlace = reinterpret_cast<void*>(1);          // MPI_IN_PLACE
inline void* const kBufferAutomatic = reinterpret_cast<void*>(2);  // MPI_BUFFER_AUTOMATIC
inline int* const kUnweighted = reinterpret_cast<int*>(10);        // MPI_UNWEIGHTED
inline int* const kWeightsEmpty = reinterpret_cast<int*>(11);      // MPI_WEIGHTS_EMPTY

// A read-only view of an int, MPI_Aint or MPI_Count array of the caller, so that the core is written once for the
// small and the large-count functions and nothing is copied. Does not own the memory.
class CountArray {
 public:
  CountArray() = default;
  CountArray(const int* p) : ints_(p) {}
  CountArray(const std::int64_t* p) : wides_(p) {}
  Count operator[](std::ptrdiff_t i) const { return ints_ ? ints_[i] : wides_[i]; }
  explicit operator bool() const { return ints_ || wides_; }

 private:
  const int* ints_ = nullptr;
  const std::int64_t* wides_ = nullptr;
};

// Tells the processor that this is a spin loop.
inline void cpu_relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#elif defined(__powerpc64__)
  asm volatile("or 27,27,27" ::: "memory");
#endif
}

// Fetches a line that is about to be written, away from the processors that have read it. The compiler's own builtin fetches it
// only to be read, unless told that the processor can do better.
inline void prefetch_to_write(const std::byte* place) {
#if defined(__x86_64__)
  asm volatile("prefetchw %0" : : "m"(*place));  // does nothing where a processor does not know it
#else
  __builtin_prefetch(place, 1);
#endif
}

}  // namespace starling
