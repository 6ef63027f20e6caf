// SPDX-License-Identifier: BSD-3-Clause
#include "comm/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "comm/agree.h"

namespace starling::comm {

namespace {

// What the leader tells the others: where the memory is, or why there is none.
struct Announcement {
  std::int32_t pid;
  std::int32_t fd;
  std::int32_t error;  // errno
};

Announcement make(std::uint64_t bytes, const char* name) {
  const auto memory = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  if (bytes > memory) return {0, -1, ENOMEM};  // the kernel would find out only when the pages are touched
  const int fd = memfd_create(name, MFD_CLOEXEC);
  if (fd < 0) return {0, -1, errno};
  if (ftruncate(fd, static_cast<off_t>(bytes)) != 0) {
    const int error = errno;
    close(fd);
    return {0, -1, error};
  }
  return {getpid(), fd, 0};
}

int open_at(const Announcement& memory) {
  char path[64];
  std::snprintf(path, sizeof path, "/proc/%d/fd/%d", memory.pid, memory.fd);
  return open(path, O_RDWR | O_CLOEXEC);
}

}  // namespace

SharedMemory::SharedMemory(Comm& comm, std::uint64_t bytes, const char* name) : bytes_(bytes) {
  const int tag = creation_tag(comm);
  Announcement memory{};
  if (comm.rank == 0) memory = make(bytes, name);
  broadcast(comm, tag, &memory, sizeof memory, 0);
  if (memory.error)
    fail(kErrNoMem, "no shared memory of %llu bytes on this host: %s", static_cast<unsigned long long>(bytes),
         std::strerror(memory.error));

  const int fd = comm.rank == 0 ? memory.fd : open_at(memory);
  void* base = fd < 0 ? MAP_FAILED : mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
  std::vector<std::int32_t> errors(static_cast<std::size_t>(comm.size));
  errors[static_cast<std::size_t>(comm.rank)] = base == MAP_FAILED ? errno : 0;
  allgather(comm, tag, errors.data(), sizeof errors[0]);  // after it nobody needs the leader's descriptor any more
  if (fd >= 0) close(fd);
  if (base != MAP_FAILED) base_ = static_cast<std::byte*>(base);
  for (std::size_t r = 0; r < errors.size(); ++r) {
    if (errors[r] == 0) continue;
    *this = SharedMemory();
    fail(kErrOther, "rank %zu cannot map the shared memory: %s", r, std::strerror(errors[r]));
  }
}

SharedMemory::~SharedMemory() {
  if (base_) munmap(base_, bytes_);
}

}  // namespace starling::comm
