// SPDX-License-Identifier: BSD-3-Clause
#include "transport/shm/cma.h"

#include <sys/uio.h>
#include <time.h>

#include <cerrno>

namespace starling::transport {

namespace {

// The peer is dead. Whoever started the job ends it within a moment and names the culprit; an error of ours would only hide it.
// Returns if nobody does.
void wait_for_the_end() {
  const timespec patience{5, 0};
  nanosleep(&patience, nullptr);
}

// The kernel may copy less than asked for (2 GB at most in one call).
template <class Call>
bool copy(pid_t pid, void* local, std::uint64_t remote, std::size_t length, Call call) {
  while (length > 0) {
    const iovec here{local, length};
    const iovec there{reinterpret_cast<void*>(remote), length};
    const ssize_t n = call(pid, &here, 1, &there, 1, 0);
    if (n <= 0) {
      if (n < 0 && errno == ESRCH) wait_for_the_end();
      return false;
    }
    local = static_cast<std::byte*>(local) + n;
    remote += static_cast<std::uint64_t>(n);
    length -= static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace

bool cma_read(pid_t pid, void* local, std::uint64_t remote, std::size_t length) {
  return copy(pid, local, remote, length, process_vm_readv);
}

bool cma_write(pid_t pid, const void* local, std::uint64_t remote, std::size_t length) {
  return copy(pid, const_cast<void*>(local), remote, length, process_vm_writev);
}

}  // namespace starling::transport
