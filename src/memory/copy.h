// SPDX-License-Identifier: BSD-3-Clause
// Copies past the caches, for data that no cache would hold until it is used: a usual store first fetches the line that it
// writes, so three bytes are moved for each that is copied, and past the caches two. What the caches hold stays there.
//
// Thread-safety: all functions may be called by any thread at any time.
#pragma once

#include <cstddef>

namespace starling::memory {

// What the last-level caches of this host hold together, in bytes; 0 if the system does not tell.
std::size_t cache_bytes();

// As memcpy, and complete for other processes too when it returns. Where the processor has no such stores it is memcpy.
void copy_past_caches(void* to, const void* from, std::size_t bytes);

}  // namespace starling::memory
