// SPDX-License-Identifier: BSD-3-Clause
// Win: a window, the memory that the processes of a communicator open to each other (MPI 5.0 chapter 12; doc/rma.md).
//
// Thread-safety: everything is guarded by the worker lock, except what lies in the segment.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/types.h"
#include "object/attributes.h"
#include "object/comm.h"
#include "object/errhandler.h"
#include "object/info.h"
#include "object/object.h"
#include "object/pool.h"
#include "rma/segment.h"

namespace starling {

namespace rma {

// How an origin gets at memory that it has not mapped.
enum class Reach : std::uint8_t {
  kUnknown,   // not tried yet
  kDirect,    // the endpoint copies (process_vm_readv and writev)
  kMessages,  // the target does it when it makes progress
};

// The lock that this process holds on a target.
enum class Hold : std::uint8_t { kNone, kShared, kExclusive };

// One process of the window as an origin sees it.
struct Target {
  std::uintptr_t base = 0;  // of its window: in this process if `mapped`, else in the target
  Count size = 0;           // bytes
  Count disp_unit = 1;
  std::uint64_t probe = 0;  // address of a word in the target whose value is known: shows whether its memory can be reached
  bool mapped = false;
  Reach reach = Reach::kUnknown;
  bool open = false;  // an access epoch for this target alone (MPI_Win_start, MPI_Win_lock)
  Hold hold = Hold::kNone;
  bool unchecked = false;  // locked with MPI_MODE_NOCHECK: there is no lock to give back
};

// The access epoch of this process, as far as it concerns all targets.
enum class Epoch : std::uint8_t {
  kNone,
  kFence,    // between two calls of MPI_Win_fence
  kStart,    // MPI_Win_start ... MPI_Win_complete
  kLocks,    // MPI_Win_lock on some targets
  kLockAll,  // MPI_Win_lock_all
};

}  // namespace rma

struct Win : Object {
  Ref<Comm> comm;  // the window's own, with the group of the communicator it was made of
  int flavor = kWinFlavorCreate;
  int model = kWinUnified;
  int disp_unit = 1;  // these three: of this process, for MPI_Win_get_attr
  Aint size = 0;
  void* base = nullptr;
  rma::Segment segment;
  std::vector<rma::Target> targets;  // by rank

  // Epochs. `everywhere`: the access epoch includes all targets. `used`: something has been transferred since the last
  // MPI_Win_fence, so that only another one can end the epoch.
  rma::Epoch epoch = rma::Epoch::kNone;
  bool everywhere = false;
  bool used = false;
  std::uint64_t operations = 0;        // one-sided calls of this process, for the tool interface
  int locks = 0;                       // targets that are locked by MPI_Win_lock
  std::vector<int> started;            // targets of MPI_Win_start
  bool posted = false;                 // an exposure epoch (MPI_Win_post)
  std::uint32_t barriers = 0;          // that this process has come to
  std::uint32_t completed_goal = 0;    // RankWords::completed at the end of the exposure epoch
  std::vector<std::uint32_t> matched;  // by target: posts that MPI_Win_start has used up; made on first use

  Ref<Errhandler> errhandler;
  Ref<Info> info;  // hints of this library; never null
  std::string name;
  Attributes attributes;

  rma::RankWords& words(int rank) const { return segment.rank(rank); }
  // Whether all processes have mapped the memory of all, so that the processor's atomic instructions do for accumulates.
  bool shared() const { return flavor == kWinFlavorAllocate || flavor == kWinFlavorShared; }
};

using WinPool = Pool<Win, Kind::kWin, 1 << 16>;
WinPool& win_pool();
void destroy(Win& win);

}  // namespace starling
