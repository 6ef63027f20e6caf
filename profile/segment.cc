// SPDX-License-Identifier: BSD-3-Clause
#include "profile/segment.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace starling::profile {

namespace {

constexpr std::uint64_t kPage = 65536;  // the largest base page of the targets
std::uint64_t round_up(std::uint64_t n) { return (n + kPage - 1) / kPage * kPage; }

bool map(int fd, std::uint64_t bytes, Segment& segment) {
  void* base = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  if (base == MAP_FAILED) return false;
  segment.base = static_cast<std::byte*>(base);
  return true;
}

}  // namespace

int create_segment(std::uint32_t ranks, std::uint64_t capacity, Segment& segment) {
  const std::uint64_t blocks = round_up(sizeof(Header));
  const std::uint64_t stride = round_up(sizeof(RankBlock) + ranks * sizeof(Traffic) + capacity * sizeof(Event));
  const std::uint64_t total = blocks + ranks * stride;
  int fd = memfd_create("starling-profile", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, static_cast<off_t>(total)) != 0 || !map(fd, total, segment)) {
    if (fd >= 0) close(fd);
    return -1;
  }
  Header& header = segment.header();  // all zero otherwise
  header.ranks = ranks;
  header.steady = counter_is_steady();
  header.capacity = capacity;
  header.blocks_offset = blocks;
  header.stride = stride;
  header.total_bytes = total;
  header.start = instant(header.steady);
  header.magic = kMagic;
  return fd;
}

bool map_segment(const std::string& path, Segment& segment) {
  int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return false;
  struct stat status;
  bool good = fstat(fd, &status) == 0 && status.st_size > static_cast<off_t>(sizeof(Header)) &&
              map(fd, static_cast<std::uint64_t>(status.st_size), segment) && segment.header().magic == kMagic;
  close(fd);
  return good;
}

}  // namespace starling::profile
