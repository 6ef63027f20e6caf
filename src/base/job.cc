// SPDX-License-Identifier: BSD-3-Clause
#include "base/job.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace starling {

namespace {
constexpr std::uint64_t kPage = 65536;  // the largest base page of the targets (ppc64le, aarch64)
std::uint64_t round_up(std::uint64_t n) { return (n + kPage - 1) / kPage * kPage; }
}  // namespace

int create_job_segment(std::uint32_t ranks, std::uint64_t ring_bytes, JobMapping& mapping) {
  const std::uint64_t slots = round_up(sizeof(JobHeader));
  const std::uint64_t rings = slots + round_up(ranks * sizeof(RankSlot));
  const std::uint64_t boards = rings + kMostWorkers * std::uint64_t{ranks} * ranks * ring_bytes;
  const std::uint64_t bytes_of_board = round_up(board_bytes(ranks));
  const std::uint64_t guests = boards + std::uint64_t{ranks} * kBoardsPerRank * bytes_of_board;
  const std::uint64_t bytes_of_guests = round_up(kGuestRings * sizeof(GuestClaim)) + kGuestRings * ring_bytes;
  const std::uint64_t total = guests + ranks * bytes_of_guests;
  int fd = memfd_create("starling-job", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, static_cast<off_t>(total)) != 0)
    fail(kErrNoMem, "cannot make the job segment of %llu bytes: %s", static_cast<unsigned long long>(total),
         std::strerror(errno));
  void* base = mmap(nullptr, total, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (base == MAP_FAILED)
    fail(kErrNoMem, "cannot map the job segment of %llu bytes: %s", static_cast<unsigned long long>(total),
         std::strerror(errno));
  mapping.base = static_cast<std::byte*>(base);
  JobHeader& header = mapping.header();  // a new memfd is all zero: no constructor needs to run
  header.ranks = ranks;
  header.total_bytes = total;
  header.slots_offset = slots;
  header.rings_offset = rings;
  header.ring_bytes = ring_bytes;
  header.boards_offset = boards;
  header.board_bytes = bytes_of_board;
  header.guests_offset = guests;
  header.guests_bytes = bytes_of_guests;
  if (getrandom(&header.job_id, sizeof header.job_id, 0) < 0) header.job_id = static_cast<std::uint64_t>(getpid());
  header.job_id |= 1;
  header.holder_pid = static_cast<std::uint32_t>(getpid());
  header.holder_fd = fd;
  for (std::uint32_t r = 0; r < ranks; ++r) {
    mapping.slot(r).first_cpu = -1;
    mapping.slot(r).ranks_per_core = 1;
  }
  header.magic = kJobMagic;
  return fd;
}

JobMapping map_job_segment(const std::string& path) {
  int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  struct stat status;
  if (fd < 0 || fstat(fd, &status) != 0)
    fail(kErrOther, "cannot open the job segment %s: %s", path.c_str(), std::strerror(errno));
  void* base =
      mmap(nullptr, static_cast<std::size_t>(status.st_size), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  int error = errno;
  close(fd);
  if (base == MAP_FAILED) fail(kErrOther, "cannot map the job segment %s: %s", path.c_str(), std::strerror(error));
  JobMapping mapping{static_cast<std::byte*>(base)};
  if (mapping.header().magic != kJobMagic)
    fail(kErrOther, "%s is not a job segment of this version: was the program started by another Starling's mpiexec?",
         path.c_str());
  return mapping;
}

void leave_waits(RankSlot& slot, const std::uint32_t* ranks, std::uint32_t n) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  for (std::uint32_t i = 0; i < n; ++i) slot.waits_for[i].store(ranks[i], std::memory_order_relaxed);
  slot.waits.store(n, std::memory_order_relaxed);
  slot.waits_at.store(static_cast<std::uint32_t>(now.tv_sec) + 1, std::memory_order_release);  // after what it dates
}

JobMapping map_job_segment(const ProcessAddress& member) {
  JobMapping mapping =
      map_job_segment("/proc/" + std::to_string(member.holder_pid) + "/fd/" + std::to_string(member.holder_fd));
  if (mapping.header().job_id == member.job_id && member.rank < mapping.header().ranks) return mapping;
  unmap_job_segment(mapping);
  fail(kErrOther, "the job of rank %u that process %u started is over", member.rank, member.holder_pid);
}

void unmap_job_segment(JobMapping& mapping) {
  munmap(mapping.base, mapping.header().total_bytes);
  mapping.base = nullptr;
}

}  // namespace starling
