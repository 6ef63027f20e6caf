// SPDX-License-Identifier: BSD-3-Clause
// Active target synchronization (MPI 5.0 sections 12.5.1 and 12.5.2): counters in the segment. Operations are complete when
// they return, so that all there is to do is to wait for each other.
#include "base/error.h"
#include "comm/group.h"
#include "rma/entry.gen.h"
#include "rma/epoch.h"
#include "rma/locate.h"
#include "rma/wait.h"

namespace starling::rma {

void barrier(Win& win) {
  std::atomic<std::uint32_t>& arrived = win.segment.header().arrived;
  const auto n = static_cast<std::uint32_t>(win.comm->size);
  const std::uint32_t goal = n * ++win.barriers;
  // acq_rel: the additions are one chain, so whoever sees the last one sees what all have done before theirs.
  if (arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == goal) {
    wake_all(win);
  } else {
    wait_for(win, [&arrived, goal] { return static_cast<std::int32_t>(arrived.load(std::memory_order_acquire) - goal) >= 0; });
  }
}

namespace {

// The epoch that a fence has opened is none yet if nothing was transferred in it.
void end_unused_fence(Win& win) {
  if (win.epoch != Epoch::kFence) return;
  if (win.used)
    fail(kErrRmaSync,
         "there was communication since the last MPI_Win_fence: another one, with MPI_MODE_NOSUCCEED, ends its epoch");
  win.epoch = Epoch::kNone;
  win.everywhere = false;
}

std::vector<int> ranks_of(const Win& win, const Group& group) {
  const comm::PeerIndex index(*win.comm->group);
  std::vector<int> ranks;
  for (int r = 0; r < group.size; ++r) {
    ranks.push_back(index.rank_of(group.peer(r)));
    if (ranks.back() == kUndefined) fail(kErrGroup, "rank %d of the group is no process of the window", r);
  }
  return ranks;
}

constexpr int kPostModes = kModeNocheck | kModeNostore | kModeNoput;
constexpr int kFenceModes = kModeNostore | kModeNoput | kModeNoprecede | kModeNosucceed;

}  // namespace

void check_assertion(int assertion, int allowed) {
  if (assertion < 0 || (assertion & ~(kPostModes | kFenceModes)) != 0)
    fail(kErrAssert, "assert = %d is no assertion", assertion);
  if ((assertion & ~allowed) != 0) fail(kErrAssert, "assert = %d has assertions that this function does not know", assertion);
}

void begin_epoch(Win& win, Epoch epoch) {
  end_unused_fence(win);
  if (win.epoch == Epoch::kStart) fail(kErrRmaSync, "the access epoch of MPI_Win_start is open: MPI_Win_complete ends it");
  if (win.epoch == Epoch::kLockAll) fail(kErrRmaSync, "all targets are locked already (MPI_Win_lock_all)");
  if (win.epoch == Epoch::kLocks && epoch != Epoch::kLocks)
    fail(kErrRmaSync, "%d targets are locked (MPI_Win_lock)", win.locks);
  win.epoch = epoch;
}

void win_fence(int assert, Win& win) {
  check_assertion(assert, kFenceModes);
  if (win.posted) fail(kErrRmaSync, "the window is exposed (MPI_Win_post): MPI_Win_wait has to come first");
  if (win.epoch != Epoch::kNone && win.epoch != Epoch::kFence)
    fail(kErrRmaSync, win.epoch == Epoch::kStart
                          ? "the access epoch of MPI_Win_start is open: MPI_Win_complete ends it"
                          : "targets are locked: MPI_Win_unlock or MPI_Win_unlock_all has to come first");
  barrier(win);
  win.used = false;
  win.everywhere = (assert& kModeNosucceed) == 0;
  win.epoch = win.everywhere ? Epoch::kFence : Epoch::kNone;
}

void win_post(Group& group, int assert, Win& win) {
  check_assertion(assert, kPostModes);
  if (win.posted) fail(kErrRmaSync, "the window is exposed already: MPI_Win_wait has to come first");
  const std::vector<int> origins = ranks_of(win, group);
  if (win.epoch == Epoch::kFence) end_unused_fence(win);
  win.posted = true;
  win.completed_goal += static_cast<std::uint32_t>(origins.size());
  for (const int origin : origins) {
    win.segment.posts(origin, win.comm->rank)
        .fetch_add(1, std::memory_order_release);  // our memory may be accessed from now on
    wake(win, origin);
  }
}

void win_start(Group& group, int assert, Win& win) {
  check_assertion(assert, kModeNocheck);
  std::vector<int> targets = ranks_of(win, group);
  begin_epoch(win, Epoch::kStart);
  if (win.matched.empty()) win.matched.resize(win.targets.size());
  for (const int target : targets) {
    const std::atomic<std::uint32_t>& posts = win.segment.posts(win.comm->rank, target);
    std::uint32_t& matched = win.matched[static_cast<std::size_t>(target)];
    wait_for(win, [&posts, &matched] { return posts.load(std::memory_order_acquire) != matched; });
    ++matched;
    win.targets[static_cast<std::size_t>(target)].open = true;
  }
  win.started = std::move(targets);
}

void win_complete(Win& win) {
  if (win.epoch != Epoch::kStart) fail(kErrRmaSync, "there is no access epoch of MPI_Win_start to complete");
  for (const int target : win.started) {
    win.targets[static_cast<std::size_t>(target)].open = false;
    win.words(target).completed.fetch_add(1, std::memory_order_acq_rel);  // a chain, like the counter of the barrier
    wake(win, target);
  }
  win.started.clear();
  win.epoch = Epoch::kNone;
  win.used = false;
}

namespace {

bool all_completed(const Win& win) {
  return win.words(win.comm->rank).completed.load(std::memory_order_acquire) == win.completed_goal;
}

void check_posted(const Win& win) {
  if (!win.posted) fail(kErrRmaSync, "the window is not exposed: there was no MPI_Win_post");
}

}  // namespace

void win_wait(Win& win) {
  check_posted(win);
  wait_for(win, [&win] { return all_completed(win); });
  win.posted = false;
}

void win_test(Win& win, bool& flag) {
  check_posted(win);
  win.comm->worker->look();
  flag = all_completed(win);
  if (flag) win.posted = false;
}

}  // namespace starling::rma
