// SPDX-License-Identifier: BSD-3-Clause
// Making and freeing windows (MPI 5.0 section 12.2).
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "comm/agree.h"
#include "comm/create.h"
#include "rma/entry.gen.h"
#include "rma/hints.h"
#include "rma/remote.h"
#include "rma/wait.h"

namespace starling {

WinPool& win_pool() {
  static auto* instance = new WinPool;
  return *instance;
}

void destroy(Win& win) { win_pool().destroy(&win); }

namespace rma {

namespace {

// What the processes tell each other about their part of a window.
struct Part {
  std::int64_t size;
  std::int64_t disp_unit;
  std::uint64_t base;
  std::uint64_t probe;
};

void check(const Comm& comm, Count disp_unit) {
  comm::check_intra(comm);
  if (disp_unit <= 0) fail(kErrDisp, "disp_unit = %lld is not positive", static_cast<long long>(disp_unit));
}

// A window without memory yet, with what the processes have told each other.
Ref<Win> begin(int flavor, Comm& comm, Info* info, const Part& mine, std::vector<Part>& parts) {
  Ref<Win> win = Ref<Win>::adopt(win_pool().create());
  win->flavor = flavor;
  win->comm = Ref<Comm>::adopt(comm::create_first(comm, comm.size));
  win->comm->name = comm.name;
  win->info = make_hints(info, flavor);
  win->size = mine.size;
  win->disp_unit = static_cast<int>(mine.disp_unit);
  serve(*comm.worker);
  parts.resize(static_cast<std::size_t>(comm.size));
  parts[static_cast<std::size_t>(comm.rank)] = mine;
  comm::allgather(*win->comm, comm::creation_tag(*win->comm), parts.data(), sizeof(Part));
  for (const Part& part : parts) {
    Target target;
    target.base = part.base;
    target.size = part.size;
    target.disp_unit = part.disp_unit;
    target.probe = part.probe;
    win->targets.push_back(target);
  }
  return win;
}

// Memory that the user has: only that of this process is mapped.
Win* finish_own(Ref<Win> win, bool with_regions) {
  win->segment = Segment(*win->comm, 0, with_regions);
  win->targets[static_cast<std::size_t>(win->comm->rank)].mapped = true;
  barrier(*win);
  return win.leak();
}

// Memory in the segment: part after part, each on pages of its own unless they are to be contiguous.
void* finish_allocated(Ref<Win> made, bool contiguous, Win*& out) {
  Win& win = *made;
  const auto page = static_cast<Count>(page_bytes());
  std::vector<Count> starts;
  Count end = 0;
  for (const Target& target : win.targets) {
    starts.push_back(end);
    if (__builtin_add_overflow(end, target.size, &end) || __builtin_add_overflow(end, page, &end))
      fail(kErrNoMem, "the parts of the window are too large together");
    end -= page;
    if (!contiguous) end = (end + page - 1) / page * page;
  }
  win.segment = Segment(*win.comm, static_cast<std::uint64_t>(end), false);
  for (std::size_t rank = 0; rank < win.targets.size(); ++rank) {
    win.targets[rank].mapped = true;
    win.targets[rank].base = reinterpret_cast<std::uintptr_t>(win.segment.data() + starts[rank]);
  }
  win.base = reinterpret_cast<void*>(win.targets[static_cast<std::size_t>(win.comm->rank)].base);
  barrier(win);
  out = made.leak();
  return out->base;
}

void check_closed(const Win& win) {
  if (win.posted) fail(kErrRmaSync, "the window is exposed: MPI_Win_wait has to come first");
  if (win.epoch == Epoch::kStart) fail(kErrRmaSync, "an access epoch is open: MPI_Win_complete has to come first");
  if (win.epoch == Epoch::kLocks) fail(kErrRmaSync, "%d targets are still locked: MPI_Win_unlock has to come first", win.locks);
  if (win.epoch == Epoch::kLockAll) fail(kErrRmaSync, "all targets are still locked: MPI_Win_unlock_all has to come first");
  if (win.epoch == Epoch::kFence && win.used)
    fail(kErrRmaSync, "there was communication since the last MPI_Win_fence: another one has to come first");
}

}  // namespace

void win_create(void* base, Count size, Count disp_unit, Info* info, Comm& comm, Win*& win) {
  check(comm, disp_unit);
  if (!base && size > 0) fail(kErrArg, "base is a null pointer, but size is %lld", static_cast<long long>(size));
  std::vector<Part> parts;
  Ref<Win> made =
      begin(kWinFlavorCreate, comm, info, {size, disp_unit, reinterpret_cast<std::uint64_t>(base), probe_address()}, parts);
  made->base = base;
  win = finish_own(std::move(made), false);
}

void win_create_dynamic(Info* info, Comm& comm, Win*& win) {
  check(comm, 1);
  std::vector<Part> parts;
  Ref<Win> made = begin(kWinFlavorDynamic, comm, info, {0, 1, 0, probe_address()}, parts);
  win = finish_own(std::move(made), true);
}

void win_allocate(Count size, Count disp_unit, Info* info, Comm& comm, void*& baseptr, Win*& win) {
  check(comm, disp_unit);
  std::vector<Part> parts;
  baseptr = finish_allocated(begin(kWinFlavorAllocate, comm, info, {size, disp_unit, 0, 0}, parts), false, win);
}

void win_allocate_shared(Count size, Count disp_unit, Info* info, Comm& comm, void*& baseptr, Win*& win) {
  check(comm, disp_unit);
  std::vector<Part> parts;
  const bool contiguous = !object::hint_is_true(info, "alloc_shared_noncontig");
  baseptr = finish_allocated(begin(kWinFlavorShared, comm, info, {size, disp_unit, 0, 0}, parts), contiguous, win);
}

void win_free(Win*& win) {
  check_closed(*win);
  win->attributes.clear(*win);
  barrier(*win);  // whoever has come here accesses nothing any more
  release(std::exchange(win, nullptr));
}

}  // namespace rma
}  // namespace starling
