// SPDX-License-Identifier: BSD-3-Clause
// malloc and its family for programs linked to the library: large blocks come from the shared heap once MPI_Init has opened it,
// everything else from the C library. The dynamic linker finds these before the C library's because the program names the MPI
// library first; a program that brings an allocator of its own keeps it, and so does one that loads the MPI library later
// (mpi4py), unless it is in LD_PRELOAD.
//
// The MPI library itself always calls the functions here (-Bsymbolic), so it must not free what the C library has allocated for
// it: that may come from another allocator. The C library is called by the names that it gives its own functions for this
// purpose: they work from the first instruction on.
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include <bit>
#include <cstddef>
#include <cstring>

#include "memory/heap.h"

extern "C" {
void* __libc_malloc(std::size_t);
void __libc_free(void*);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

namespace memory = starling::memory;

// From which size on blocks are in the heap.
constexpr std::size_t kLarge = memory::kHeapUnit;

void* large(std::size_t bytes, bool& zeroed) { return bytes >= kLarge ? memory::heap_allocate(bytes, zeroed) : nullptr; }
void* large(std::size_t bytes) {
  bool zeroed;
  return large(bytes, zeroed);
}

std::size_t library_usable_size(void* block) {
  using Function = std::size_t (*)(void*);
  static const auto function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "malloc_usable_size"));
  return function ? function(block) : 0;
}

void* aligned(std::size_t alignment, std::size_t bytes) {
  void* block = alignment <= memory::kHeapUnit ? large(bytes) : nullptr;
  return block ? block : __libc_memalign(alignment, bytes);
}

void* move_to(void* to, void* from, std::size_t bytes) {
  if (!to) return nullptr;
  std::memcpy(to, from, bytes);
  free(from);
  return to;
}

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED void* malloc(std::size_t bytes) noexcept {
  void* block = large(bytes);
  return block ? block : __libc_malloc(bytes);
}

EXPORTED void free(void* block) noexcept {
  if (!memory::in_heap(block)) return __libc_free(block);
  const int saved = errno;  // free() leaves it alone
  memory::heap_free(block);
  errno = saved;
}

EXPORTED void* calloc(std::size_t count, std::size_t size) noexcept {
  std::size_t bytes;
  bool zeroed = false;
  void* block = __builtin_mul_overflow(count, size, &bytes) ? nullptr : large(bytes, zeroed);
  if (!block) return __libc_calloc(count, size);
  return zeroed ? block : std::memset(block, 0, bytes);
}

EXPORTED void* realloc(void* block, std::size_t bytes) noexcept {
  if (!memory::in_heap(block)) {
    // A block that has become large moves to the heap; one that was large before the heap was opened stays.
    const std::size_t old = block && bytes >= kLarge ? library_usable_size(block) : kLarge;
    void* moved = old < kLarge ? large(bytes) : nullptr;
    return moved ? move_to(moved, block, old) : __libc_realloc(block, bytes);
  }
  const std::size_t old = memory::heap_block_size(block);
  if (bytes <= old && bytes > old / 2) return block;
  if (bytes == 0) {
    free(block);
    return nullptr;
  }
  return move_to(malloc(bytes), block, bytes < old ? bytes : old);
}

EXPORTED void* memalign(std::size_t alignment, std::size_t bytes) noexcept { return aligned(alignment, bytes); }
EXPORTED void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept { return aligned(alignment, bytes); }
EXPORTED void* valloc(std::size_t bytes) noexcept { return aligned(4096, bytes); }

EXPORTED int posix_memalign(void** result, std::size_t alignment, std::size_t bytes) noexcept {
  if (!std::has_single_bit(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  void* block = aligned(alignment, bytes);
  if (!block) return ENOMEM;
  *result = block;
  return 0;
}

EXPORTED std::size_t malloc_usable_size(void* block) noexcept {
  if (!block) return 0;
  return memory::in_heap(block) ? memory::heap_block_size(block) : library_usable_size(block);
}
