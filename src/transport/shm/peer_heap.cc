// SPDX-License-Identifier: BSD-3-Clause
#include "transport/shm/peer_heap.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

namespace starling::transport {

namespace {

int open_file_of(std::uint32_t pid, int fd) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%u/fd/%d", pid, fd);
  return open(path, O_RDWR | O_CLOEXEC);
}

}  // namespace

PeerHeap::~PeerHeap() {
  if (here_) munmap(here_, reserved_);
}

std::byte* PeerHeap::map(std::uint64_t address, std::size_t length) {
  if (refused_) return nullptr;
  if (!here_) {
    const std::uint64_t base = slot_.heap_base.load(std::memory_order_acquire);
    if (base == 0 || address - base >= slot_.heap_reserved) return nullptr;
    void* start = mmap(nullptr, slot_.heap_reserved, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED) {
      refused_ = true;
      return nullptr;
    }
    here_ = static_cast<std::byte*>(start);
    base_ = base;
    reserved_ = slot_.heap_reserved;
  }
  const std::uint64_t offset = address - base_;
  if (offset >= reserved_ || length > reserved_ - offset) return nullptr;
  // The file has grown since; it never shrinks.
  const int file = open_file_of(slot_.pid.load(std::memory_order_relaxed), slot_.heap_fd);
  struct stat status;
  const bool mapped = file >= 0 && fstat(file, &status) == 0 &&
                      mmap(here_, static_cast<std::size_t>(status.st_size), PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_FIXED | MAP_NORESERVE, file, 0) != MAP_FAILED;
  if (file >= 0) close(file);
  if (!mapped) {  // the rules for /proc, or the peer has closed the file
    refused_ = true;
    return nullptr;
  }
  mapped_ = static_cast<std::uint64_t>(status.st_size);
  return length <= mapped_ && offset <= mapped_ - length ? here_ + offset : nullptr;
}

}  // namespace starling::transport
