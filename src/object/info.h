// SPDX-License-Identifier: BSD-3-Clause
// Info: ordered (key, value) strings (MPI 5.0 chapter 10).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "object/object.h"
#include "object/pool.h"

namespace starling {

// Guarded by the worker lock of the call that uses it. Keys are at most kMaxInfoKey - 1 bytes, values kMaxInfoVal - 1.
struct Info : Object {
  std::vector<std::pair<std::string, std::string>> entries;

  const std::string* find(std::string_view key) const;  // nullptr: no such key; valid until the next change
  // Replaces the value in place or appends. Throws Error(kErrInfoKey) or Error(kErrInfoValue) for a wrong length.
  void set(std::string_view key, std::string_view value);
  // Removes the key. Throws Error(kErrInfoNokey) if there is none.
  void erase(std::string_view key);
};

using InfoPool = Pool<Info, Kind::kInfo>;
InfoPool& info_pool();
void destroy(Info& info);

// MPI_INFO_ENV: how this process was started (command, argv, arch, wdir, host). Made on first use, lives for ever. Thread-safe;
// boot/ adds what only it knows (maxprocs, thread_level).
Info* info_env();

namespace object {

// A new Info with the given entries; the caller owns the reference.
Info* copy_info(const Info& from);
// The kinds of memory that may hold messages (MPI 5.0, 11.4.3): in every case, and which of a requested list (nullptr: none).
inline constexpr char kMemoryKindsKey[] = "mpi_memory_alloc_kinds";
inline constexpr char kMemoryKinds[] = "mpi,system";
std::string supported_memory_kinds(const Info* requested);
// Whether a hint is set to "true".
bool hint_is_true(const Info* info, std::string_view key);

}  // namespace object
}  // namespace starling
