// SPDX-License-Identifier: BSD-3-Clause
// Cross-memory attach: the kernel copies between the memories of two processes.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace starling::transport {

// Copy `length` bytes between our memory and address `remote` of process `pid`. False if the kernel does not permit it (ptrace
// rules, seccomp, containers), does not know it, or the memory is not there. Part of the destination may have been written
// then.
bool cma_read(pid_t pid, void* local, std::uint64_t remote, std::size_t length);
bool cma_write(pid_t pid, const void* local, std::uint64_t remote, std::size_t length);

}  // namespace starling::transport
