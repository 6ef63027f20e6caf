// SPDX-License-Identifier: BSD-3-Clause
#include "rma/segment.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "base/error.h"
#include "comm/agree.h"

namespace starling::rma {

namespace {

// What the leader tells the others: where the segment is, or why there is none.
struct Announcement {
  std::int32_t pid;
  std::int32_t fd;
  std::int32_t error;  // errno
};

Announcement make(std::uint64_t bytes) {
  const auto memory = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * page_bytes();
  if (bytes > memory) return {0, -1, ENOMEM};  // the kernel would find out only when the pages are touched
  const int fd = memfd_create("starling-window", MFD_CLOEXEC);
  if (fd < 0) return {0, -1, errno};
  if (ftruncate(fd, static_cast<off_t>(bytes)) != 0) {
    const int error = errno;
    close(fd);
    return {0, -1, error};
  }
  return {getpid(), fd, 0};
}

int open_at(const Announcement& segment) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/fd/%d", segment.pid, segment.fd);
  return open(path, O_RDWR | O_CLOEXEC);
}

}  // namespace

std::uint64_t page_bytes() {
  static const auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

Segment::Segment(Comm& comm, std::uint64_t data_bytes, bool with_regions) : ranks_(comm.size) {
  const auto n = static_cast<std::uint64_t>(ranks_);
  const std::uint64_t words = regions_offset() + (with_regions ? n * kMostRegions * sizeof(Region) : 0);
  data_offset_ = (words + page_bytes() - 1) / page_bytes() * page_bytes();
  bytes_ = data_offset_ + data_bytes;

  const int tag = comm::creation_tag(comm);
  Announcement segment{};
  if (comm.rank == 0) segment = make(bytes_);
  comm::broadcast(comm, tag, &segment, sizeof segment, 0);
  if (segment.error)
    fail(kErrNoMem, "no memory for a window of %llu bytes on this host: %s", static_cast<unsigned long long>(data_bytes),
         std::strerror(segment.error));

  const int fd = comm.rank == 0 ? segment.fd : open_at(segment);
  void* base = fd < 0 ? MAP_FAILED : mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  std::vector<std::int32_t> errors(n);
  errors[static_cast<std::size_t>(comm.rank)] = base == MAP_FAILED ? errno : 0;
  comm::allgather(comm, tag, errors.data(), sizeof errors[0]);  // after it nobody needs the leader's descriptor any more
  if (fd >= 0) close(fd);
  if (base != MAP_FAILED) base_ = static_cast<std::byte*>(base);
  for (std::size_t r = 0; r < errors.size(); ++r) {
    if (errors[r] == 0) continue;
    *this = Segment();
    fail(kErrOther, "rank %zu cannot map the window's segment: %s", r, std::strerror(errors[r]));
  }
}

Segment::~Segment() {
  if (base_) munmap(base_, bytes_);
}

Segment& Segment::operator=(Segment&& other) noexcept {
  std::swap(base_, other.base_);
  std::swap(bytes_, other.bytes_);
  std::swap(data_offset_, other.data_offset_);
  std::swap(ranks_, other.ranks_);
  return *this;
}

}  // namespace starling::rma
