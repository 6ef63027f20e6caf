// SPDX-License-Identifier: BSD-3-Clause
#include "rma/locate.h"

#include <algorithm>
#include <cinttypes>

#include "base/error.h"

namespace starling::rma::detail {

namespace {

// Bytes [low, high) that the elements occupy, relative to the address of the first. False: no memory could hold them.
bool extent_of(Count count, const Datatype& type, Count& low, Count& high) {
  Count last;
  if (__builtin_mul_overflow(count - 1, type.extent, &last)) return false;
  Count end;
  return !__builtin_add_overflow(type.true_lb, std::min<Count>(last, 0), &low) &&
         !__builtin_add_overflow(type.true_lb, type.true_extent, &end) &&
         !__builtin_add_overflow(end, std::max<Count>(last, 0), &high);
}

// Whether the target has attached memory that holds these bytes, be it in several pieces.
bool attached(const Win& win, int rank, std::uint64_t low, std::uint64_t bytes) {
  const Region* regions = win.segment.regions(rank);
  // acquire: entries up to this number are there.
  const std::uint32_t used = win.words(rank).regions.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < used; ++i) {
    const std::uint64_t base = regions[i].base.load(std::memory_order_relaxed);
    const std::uint64_t size = regions[i].size.load(std::memory_order_relaxed);
    if (low < base || low - base >= size) continue;
    const std::uint64_t here = size - (low - base);
    return bytes <= here || attached(win, rank, low + here, bytes - here);
  }
  return bytes == 0;
}

}  // namespace

void bad_rank(const Win& win, int rank) {
  fail(kErrRank, "rank %d is not one of the window, which has %d ranks", rank, win.comm->size);
}

void no_epoch(const Win& win, int rank) {
  switch (win.epoch) {
    case Epoch::kStart:
      fail(kErrRmaSync, "rank %d is not in the group of MPI_Win_start", rank);
    case Epoch::kLocks:
      fail(kErrRmaSync, "rank %d is not locked (MPI_Win_lock)", rank);
    default:
      fail(kErrRmaSync, "there is no access epoch: call MPI_Win_fence, MPI_Win_start, MPI_Win_lock or MPI_Win_lock_all first");
  }
}

void out_of_range(const Target& target, int rank, Count disp, Count count, const Datatype& type) {
  fail(kErrRmaRange,
       "%" PRId64 " elements of %" PRId64 " bytes at displacement %" PRId64
       " are not inside the window of rank %d, which has %" PRId64 " bytes (displacement unit %" PRId64 ")",
       count, type.size, disp, rank, target.size, target.disp_unit);
}

std::uintptr_t locate_any(Win& win, int rank, Count disp, Count count, const Datatype& type) {
  const Target& target = target_of(win, rank);
  Count start = 0, low = 0, high = 0;
  if (__builtin_mul_overflow(disp, target.disp_unit, &start)) out_of_range(target, rank, disp, count, type);
  const std::uintptr_t address = target.base + static_cast<std::uintptr_t>(start);
  if (count == 0 || type.size == 0) return address;
  if (!extent_of(count, type, low, high) || __builtin_add_overflow(start, low, &low) ||
      __builtin_add_overflow(start, high, &high) || low < 0)
    out_of_range(target, rank, disp, count, type);
  if (win.flavor == kWinFlavorDynamic) {
    if (!attached(win, rank, static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high - low)))
      fail(kErrRmaRange,
           "%" PRId64 " bytes at address 0x%" PRIx64 " are not in memory that rank %d has attached (MPI_Win_attach)",
           high - low, low, rank);
  } else if (high > target.size) {
    out_of_range(target, rank, disp, count, type);
  }
  return address;
}

}  // namespace starling::rma::detail
