// SPDX-License-Identifier: BSD-3-Clause
// The recorder's beginning and end: getting hold of the segment, and what becomes of it.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/settings.h"
#include "profile/recorder.h"
#include "profile/report.h"

namespace starling::profile {

namespace {

// What rank 0 tells the others of the segment it has made.
struct Invitation {
  char path[64];
  std::uint64_t start_ns;  // tells our segment from whatever has the same path on another host
};

// So much of a rank's block is there before the run begins: a page that is touched for the first time costs as much as a
// hundred calls.
constexpr std::size_t kPopulated = 4 << 20;
// MADV_POPULATE_WRITE of Linux 5.14. Older kernels refuse it, and pages come as they are touched.
constexpr int kPopulateWrite = 23;

void program_name(char* name, std::size_t room) {
  ssize_t length = readlink("/proc/self/exe", name, room - 1);
  name[length < 0 ? 0 : length] = 0;
}

}  // namespace

void Recorder::open_segment(int rank, int ranks, bool may_share) {
  if (const char* path = launcher_variable("STARLING_PROFILE")) {
    if (!map_segment(path, segment_)) std::fprintf(stderr, "starling: rank %d cannot map the profile segment %s\n", rank, path);
    return;
  }
  if (!may_share && ranks > 1) {
    if (rank == 0) std::fputs("starling: no profile: a program that uses sessions only needs our mpiexec for it\n", stderr);
    return;
  }
  Invitation invitation{};
  if (rank == 0) {
    int fd = create_segment(static_cast<std::uint32_t>(ranks), static_cast<std::uint64_t>(settings().profile_events), segment_);
    if (fd < 0) std::fprintf(stderr, "starling: no profile: cannot make its segment: %s\n", std::strerror(errno));
    if (fd >= 0) {
      std::snprintf(invitation.path, sizeof invitation.path, "/proc/%d/fd/%d", static_cast<int>(getpid()), fd);
      invitation.start_ns = segment_.header().start.ns;
    }
  }
  own_segment_ = true;
  if (ranks == 1 || !library_->broadcast(&invitation, sizeof invitation) || rank == 0 || !invitation.path[0]) return;
  if (map_segment(invitation.path, segment_) && segment_.header().start.ns == invitation.start_ns) return;
  segment_.base = nullptr;
  std::fprintf(stderr, "starling: rank %d is not in the profile: it does not share a host with rank 0\n", rank);
}

void Recorder::join(const Library& library, int rank, int ranks, bool may_share, bool threads) {
  library_ = &library;
  rank_ = rank;
  open_segment(rank, ranks, may_share);
  if (!segment_.base) return;
  const Header& header = segment_.header();
  if (header.ranks != static_cast<std::uint32_t>(ranks)) {
    if (rank == 0)
      std::fprintf(stderr, "starling: no profile: mpiexec started %u ranks, but MPI_COMM_WORLD has %d\n", header.ranks, ranks);
    return;
  }
  steady_ = header.steady;
  const auto index = static_cast<std::uint32_t>(rank);
  block_ = &segment_.block(index);
  events_ = segment_.events(index);
  traffic_ = segment_.traffic(index);
  block_->pid = static_cast<std::uint32_t>(getpid());
  madvise(block_, std::min<std::size_t>(header.stride, kPopulated), kPopulateWrite);
  program_name(block_->program, sizeof block_->program);
  gethostname(block_->host, sizeof block_->host - 1);
  block_->state = RankState::kRunning;
  block_->run_begin = block_->last = now();
  next_event_ = events_;
  end_events_ = events_ + header.capacity;
  idle_ = !threads && steady_;
  on = true;
}

void Recorder::mark_end() {
  block_->run_end = now();
  block_->inside = 0;
  block_->state = RankState::kFinished;
}

void Recorder::leave() {
  if (!on) {
    if (own_segment_) library_->barrier();  // those who are in the profile wait there
    return;
  }
  mark_end();
  requests_.for_each([this](Pending& pending) {
    if (pending.active && pending.event.identity != 0) end(pending.event, nullptr);
  });
  on = idle_ = false;
  if (!own_segment_) return;
  library_->barrier();
  if (rank_ == 0) report(segment_, settings().profile_file);
}

void Recorder::report_before_abort() {
  if (on && own_segment_) report(segment_, settings().profile_file);
}

}  // namespace starling::profile
