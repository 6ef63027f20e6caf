// SPDX-License-Identifier: BSD-3-Clause
// The shared heap (doc/shared-heap.md): large blocks of this process's memory, in one memfd that the other ranks of the host
// can map, so that they copy from and to it without the kernel. malloc.cc lets it stand in for the large blocks of malloc.
//
// Thread-safety: all functions may be called by any thread at any time, and after fork().
#pragma once

#include <cstddef>
#include <cstdint>

namespace starling::memory {

// Blocks start at multiples of this; shorter ones are not worth being here.
inline constexpr std::size_t kHeapUnit = 4096;

// Where the heap is: what another process needs to map it as /proc/<pid>/fd/<fd>. Its length grows; that of the file tells how
// far.
struct HeapPlace {
  std::uint64_t base = 0;      // address in this process; 0: there is no heap
  std::uint64_t reserved = 0;  // bytes of addresses from there on, more than it ever gets
  int fd = -1;
};

// Makes the heap, unless it is there. What it gives back tells where; without one if the system refuses.
HeapPlace open_heap();

// A block, aligned to kHeapUnit, or nullptr: no heap, or none left. `zeroed`: whether all of it is known to be zero.
void* heap_allocate(std::size_t bytes, bool& zeroed);
// Whether an address belongs to the heap; then the block that starts there can be freed, and has a size.
bool in_heap(const void* address);
void heap_free(void* block);
std::size_t heap_block_size(const void* block);

}  // namespace starling::memory
