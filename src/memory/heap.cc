// SPDX-License-Identifier: BSD-3-Clause
// Size classes, four for each doubling, with a list of free blocks each; new blocks are cut off at the top, and never split or
// put together. What a block's owner does not touch has no memory, so only addresses are wasted by rounding up.
//
// Invariants, under `lock`: every unit below `top` belongs to one block; a block is in use, or in the list of its class.
// kRetainedBytes bounds what free blocks keep of the system's memory.
#include "memory/heap.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cerrno>
#include <cstring>

namespace starling::memory {

namespace {

constexpr std::size_t kGrowthBytes = std::size_t{64} << 20;    // by which the file grows, at least
constexpr std::size_t kRetainedBytes = std::size_t{64} << 20;  // of free blocks, to be used again without page faults
constexpr std::size_t kAlignment = std::size_t{2} << 20;
constexpr std::uint32_t kNone = 0;  // unit 0 is never part of a block
constexpr int kClasses = 128;

// Of the block that starts at a unit.
struct Block {
  std::uint32_t next;  // free: the next one of the list
  std::uint8_t size_class;
  bool dirty;  // has memory that is not zero
};

struct Heap {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  bool open = false;  // false in a child, which has its blocks for itself
  int fd = -1;
  std::size_t reserved = 0;
  std::size_t mapped = 0;
  std::uint32_t top = 1;  // unit
  std::size_t retained = 0;
  Block* blocks = nullptr;
  std::uint32_t free[kClasses] = {};
  int fork_pipe[2] = {-1, -1};
};
constinit Heap heap;
// Read without the lock, by every free().
constinit std::atomic<std::uintptr_t> heap_base{0};
constinit std::atomic<std::uintptr_t> heap_end{0};

struct Lock {
  Lock() { pthread_mutex_lock(&heap.lock); }
  ~Lock() { pthread_mutex_unlock(&heap.lock); }
};

std::byte* base() { return reinterpret_cast<std::byte*>(heap_base.load(std::memory_order_relaxed)); }
std::byte* address_of(std::uint32_t unit) { return base() + unit * kHeapUnit; }
std::uint32_t unit_of(const void* block) {
  return static_cast<std::uint32_t>(static_cast<std::size_t>(static_cast<const std::byte*>(block) - base()) / kHeapUnit);
}

// Classes 0 to 3 have 1 to 4 units; then come 5, 6, 7, 8, 10, 12, 14, 16, 20 ...
int class_of(std::size_t units) {
  if (units <= 4) return static_cast<int>(units) - 1;
  const int doubling = static_cast<int>(std::bit_width(units - 1)) - 3;  // units in (4, 8] << doubling
  return 4 * (doubling + 1) + static_cast<int>((units - 1) >> doubling) - 4;
}
std::size_t units_of(int size_class) {
  if (size_class < 4) return static_cast<std::size_t>(size_class) + 1;
  return (static_cast<std::size_t>(size_class) % 4 + 5) << (size_class / 4 - 1);
}
std::size_t bytes_of(const Block& block) { return units_of(block.size_class) * kHeapUnit; }

bool grow(std::size_t needed) {
  if (needed > heap.reserved) return false;
  if (needed <= heap.mapped) return true;
  const std::size_t more = std::min(std::max((needed - heap.mapped + kAlignment - 1) / kAlignment * kAlignment, kGrowthBytes),
                                    heap.reserved - heap.mapped);
  const auto end = static_cast<off_t>(heap.mapped);
  if (ftruncate(heap.fd, end + static_cast<off_t>(more)) != 0) return false;
  if (mmap(base() + heap.mapped, more, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, heap.fd, end) ==
      MAP_FAILED)
    return false;
  madvise(base() + heap.mapped, more, MADV_HUGEPAGE);  // where the system gives shared memory large pages on request
  heap.mapped += more;
  return true;
}

// Gives the memory of a block back to the system: it is zero afterwards.
void drop(Block& block, std::uint32_t unit) {
  if (heap.open) {
    // Not MADV_REMOVE, which is the same but which emulators of other processors only pretend to do.
    block.dirty = fallocate(heap.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(unit * kHeapUnit),
                            static_cast<off_t>(bytes_of(block))) != 0;
  } else {
    block.dirty = madvise(address_of(unit), bytes_of(block), MADV_DONTNEED) != 0;
  }
}

// fork(): the child must not share the memory with the parent, so it copies what is in use, and the parent waits for that. It
// sees the end of the pipe, of which the child has the only other end, also when the child dies or there is none.
void before_fork() {
  pthread_mutex_lock(&heap.lock);
  if (heap.open && pipe2(heap.fork_pipe, O_CLOEXEC) != 0) heap.fork_pipe[0] = heap.fork_pipe[1] = -1;
}
void after_fork_in_parent() {
  if (heap.open && heap.fork_pipe[0] >= 0) {
    close(heap.fork_pipe[1]);
    char none;
    while (read(heap.fork_pipe[0], &none, 1) < 0 && errno == EINTR) {
    }
    close(heap.fork_pipe[0]);
  }
  pthread_mutex_unlock(&heap.lock);
}

// Puts private memory in the place of the first bytes of the heap, with a copy of the pages that exist.
void make_private(std::size_t bytes) {
  void* copy = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (copy == MAP_FAILED) _exit(127);  // as if fork() had failed, as far as that can still be told
  const auto end = static_cast<off_t>(bytes);
  off_t data = 0;
  while ((data = lseek(heap.fd, data, SEEK_DATA)) >= 0 && data < end) {
    off_t hole = lseek(heap.fd, data, SEEK_HOLE);
    if (hole < 0 || hole > end) hole = end;
    std::memcpy(static_cast<std::byte*>(copy) + data, base() + data, static_cast<std::size_t>(hole - data));
    data = hole;
  }
  mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, base());
}

void after_fork_in_child() {
  if (heap.open) {
    make_private((heap.top * kHeapUnit + kAlignment - 1) / kAlignment * kAlignment);
    std::memset(heap.free, 0, sizeof heap.free);
    heap.retained = 0;
    heap.open = false;
    close(heap.fd);
    if (heap.fork_pipe[0] >= 0) {
      close(heap.fork_pipe[0]);
      close(heap.fork_pipe[1]);
    }
  }
  pthread_mutex_unlock(&heap.lock);
}

void* map(std::size_t bytes, int protection) {
  void* start = mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return start == MAP_FAILED ? nullptr : start;
}

// The memory of the machine, twice: blocks that are freed keep their addresses.
std::size_t addresses_to_reserve() {
  const std::size_t memory =
      static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return std::min(std::bit_ceil(memory) * 2, std::size_t{UINT32_MAX} * kHeapUnit);
}

void create() {
  const std::size_t reserved = addresses_to_reserve();
  const int fd = memfd_create("starling heap", MFD_CLOEXEC);
  if (fd < 0) return;
  auto* start = static_cast<std::byte*>(map(reserved + kAlignment, PROT_NONE));
  auto* blocks = static_cast<Block*>(map(reserved / kHeapUnit * sizeof(Block), PROT_READ | PROT_WRITE));
  if (!start || !blocks || pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) != 0) {
    if (start) munmap(start, reserved + kAlignment);
    if (blocks) munmap(blocks, reserved / kHeapUnit * sizeof(Block));
    close(fd);
    return;
  }
  const auto first = (reinterpret_cast<std::uintptr_t>(start) + kAlignment - 1) / kAlignment * kAlignment;
  heap.fd = fd;
  heap.reserved = reserved;
  heap.blocks = blocks;
  heap.open = true;
  heap_base.store(first, std::memory_order_relaxed);
  heap_end.store(first + reserved, std::memory_order_release);
}

}  // namespace

HeapPlace open_heap() {
  const Lock lock;
  if (!heap.blocks) create();
  if (!heap.open) return {};
  return {heap_base.load(std::memory_order_relaxed), heap.reserved, heap.fd};
}

void* heap_allocate(std::size_t bytes, bool& zeroed) {
  if (heap_end.load(std::memory_order_acquire) == 0 || bytes > PTRDIFF_MAX) return nullptr;
  const Lock lock;
  const std::size_t units = std::max<std::size_t>((bytes + kHeapUnit - 1) / kHeapUnit, 1);
  if (!heap.open || units >= heap.reserved / kHeapUnit) return nullptr;
  const int size_class = class_of(units);
  std::uint32_t unit = heap.free[size_class];
  if (unit != kNone) {
    Block& block = heap.blocks[unit];
    heap.free[size_class] = block.next;
    if (block.dirty) heap.retained -= bytes_of(block);
    zeroed = !block.dirty;
  } else {
    unit = heap.top;
    const std::size_t end = heap.top + units_of(size_class);
    if (!grow(end * kHeapUnit)) return nullptr;
    heap.blocks[unit] = {kNone, static_cast<std::uint8_t>(size_class), false};
    heap.top = static_cast<std::uint32_t>(end);
    zeroed = true;
  }
  return address_of(unit);
}

bool in_heap(const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  // The end is set last: whoever was given a block has seen it before.
  return at < heap_end.load(std::memory_order_acquire) && at >= heap_base.load(std::memory_order_relaxed);
}

void heap_free(void* pointer) {
  const Lock lock;
  const std::uint32_t unit = unit_of(pointer);
  Block& block = heap.blocks[unit];
  block.dirty = true;
  if (!heap.open || heap.retained + bytes_of(block) > kRetainedBytes) drop(block, unit);
  if (!heap.open) return;
  if (block.dirty) heap.retained += bytes_of(block);
  block.next = heap.free[block.size_class];
  heap.free[block.size_class] = unit;
}

std::size_t heap_block_size(const void* pointer) { return bytes_of(heap.blocks[unit_of(pointer)]); }

}  // namespace starling::memory
