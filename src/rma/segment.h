// SPDX-License-Identifier: BSD-3-Clause
// The segment of a window: memory that all its processes map, with the words of synchronization and, for windows that MPI
// allocates, the windows themselves.
//
// Format; zero, as new memory is, is the initial state of everything.
//   SegmentHeader
//   RankWords[ranks]
//   posts: u32[ranks][ranks]      posts[origin * ranks + target]: how often target has posted its window to origin
//   Region[ranks][kMostRegions]   of windows with attached memory
//   data: page-aligned
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/types.h"
#include "comm/shared_memory.h"
#include "rma/exclusion.h"
#include "rma/lock.h"

namespace starling::rma {

struct SegmentHeader {
  // How often a process has come to a barrier (MPI_Win_fence, MPI_Win_free ...); it is complete at every multiple of the number
  // of processes. Wraps around.
  alignas(kCacheLine) std::atomic<std::uint32_t> arrived;
};

struct RankWords {
  alignas(kCacheLine) FairLock lock;  // of the window of this rank (MPI_Win_lock)
  ExclusionWords exclusion;           // of accumulates to it
  SingleWord single;                  // of this rank as an origin
  // How many origins have completed their access (MPI_Win_complete) since the beginning. Wraps around.
  alignas(kCacheLine) std::atomic<std::uint32_t> completed;
  std::atomic<std::uint32_t> regions;  // entries of its Region table that are or have been in use
};
static_assert(sizeof(SegmentHeader) == kCacheLine && sizeof(RankWords) == 4 * kCacheLine);

// Memory that is attached (MPI_Win_attach), or a free entry: base and size 0. Changed by its owner only.
struct Region {
  std::atomic<std::uint64_t> base;
  std::atomic<std::uint64_t> size;
};
inline constexpr std::uint32_t kMostRegions = 8192;  // of one rank

class Segment {
 public:
  Segment() = default;
  // Collective over `comm`. `data_bytes` and `with_regions` are the same at all. Throws at all of them if it fails at one:
  // Error(kErrNoMem), or Error(kErrOther) if a process cannot map it.
  Segment(Comm& comm, std::uint64_t data_bytes, bool with_regions);

  SegmentHeader& header() const { return *reinterpret_cast<SegmentHeader*>(base()); }
  RankWords& rank(int r) const { return reinterpret_cast<RankWords*>(base() + sizeof(SegmentHeader))[r]; }
  std::atomic<std::uint32_t>& posts(int origin, int target) const {
    return reinterpret_cast<std::atomic<std::uint32_t>*>(base() + posts_offset())[std::int64_t{origin} * ranks_ + target];
  }
  Region* regions(int r) const { return reinterpret_cast<Region*>(base() + regions_offset()) + std::int64_t{r} * kMostRegions; }
  std::byte* data() const { return base() + data_offset_; }

 private:
  std::byte* base() const { return memory_.base(); }
  std::uint64_t posts_offset() const { return sizeof(SegmentHeader) + static_cast<std::uint64_t>(ranks_) * sizeof(RankWords); }
  std::uint64_t regions_offset() const {
    return posts_offset() + (static_cast<std::uint64_t>(ranks_) * static_cast<std::uint64_t>(ranks_) * 4 + 63) / 64 * 64;
  }

  comm::SharedMemory memory_;
  std::uint64_t data_offset_ = 0;
  int ranks_ = 0;
};

std::uint64_t page_bytes();

}  // namespace starling::rma
