// SPDX-License-Identifier: BSD-3-Clause
// Where an operation acts: the checks of target rank, epoch and range that all of them begin with.
#pragma once

#include <cstdint>

#include "datatype/datatype.h"
#include "progress/worker.h"
#include "rma/win.h"

namespace starling::rma {

struct Place {
  Target* target;          // nullptr: MPI_PROC_NULL, there is nothing to do
  std::uintptr_t address;  // of element 0: in this process if target->mapped, else in the target
  int rank;

  void* pointer() const { return reinterpret_cast<void*>(address); }
};

namespace detail {

[[noreturn, gnu::cold]] void bad_rank(const Win& win, int rank);
[[noreturn, gnu::cold]] void no_epoch(const Win& win, int rank);
[[noreturn, gnu::cold]] void out_of_range(const Target& target, int rank, Count disp, Count count, const Datatype& type);
// The same as the short way in locate(), for every type and for windows with attached memory.
std::uintptr_t locate_any(Win& win, int rank, Count disp, Count count, const Datatype& type);

}  // namespace detail

// A rank of the window. Throws Error(kErrRank).
inline Target& target_of(Win& win, int rank) {
  if (static_cast<std::size_t>(rank) >= win.targets.size()) [[unlikely]]
    detail::bad_rank(win, rank);
  return win.targets[static_cast<std::size_t>(rank)];
}

// Throws Error(kErrRank), Error(kErrRmaSync) outside of an access epoch, Error(kErrRmaRange) if the data is not all inside the
// target's window.
inline Place locate(Win& win, std::uint64_t Counters::*operation, int rank, Count disp, Count count, const Datatype& type) {
  if (rank == kProcNull) [[unlikely]]
    return {nullptr, 0, rank};
  Target& target = target_of(win, rank);
  if (!win.everywhere && !target.open) [[unlikely]]
    detail::no_epoch(win, rank);
  win.used = true;
  ++win.operations;
  Counters& counters = win.comm->worker->counters;
  ++(counters.*operation);
  counters.rma_bytes += static_cast<std::uint64_t>(count * type.size);
  if (win.flavor == kWinFlavorDynamic || !type.contiguous)
    return {&target, detail::locate_any(win, rank, disp, count, type), rank};
  Count start = 0, bytes = 0;
  if (__builtin_mul_overflow(disp, target.disp_unit, &start) || __builtin_mul_overflow(count, type.size, &bytes) ||
      (start > target.size - bytes && bytes > 0)) [[unlikely]]
    detail::out_of_range(target, rank, disp, count, type);
  return {&target, target.base + static_cast<std::uintptr_t>(start), rank};
}

}  // namespace starling::rma
