// SPDX-License-Identifier: BSD-3-Clause
// How a call gets from the program to the wrapper of the right ABI and on to the MPI library. The exported functions
// (forward.gen.cc) do not know the ABI and need not: every argument of theirs is an integer or a pointer, which the calling
// conventions of our targets pass as one word each, so they hand on words. The first call looks which MPI library is there.
#pragma once

#include <atomic>
#include <cstdint>

#include "profile/calls.gen.h"

// Nothing here is for other libraries: it need not be looked up in a table.
#pragma GCC visibility push(hidden)

namespace starling::profile {

using Word = std::uint64_t;
using EntryPointer = void (*)();

// By EntryIndex: what the exported functions call; nullptr until the first call has chosen.
extern std::atomic<const EntryPointer*> chosen_entries;
// By EntryIndex: where a wrapper goes on: the next function of that name, that of another tool or the MPI library's.
extern EntryPointer next_entries[kEntries];

const EntryPointer* choose_entries();

inline EntryPointer entry(EntryIndex index) {
  const EntryPointer* entries = chosen_entries.load(std::memory_order_acquire);
  return (entries ? entries : choose_entries())[index];
}

// What wrappers.cc defines for each ABI.
namespace mpich {
const EntryPointer* wrappers(void* (*find)(const char* name));
}
namespace standard {
const EntryPointer* wrappers(void* (*find)(const char* name));
}

}  // namespace starling::profile

#pragma GCC visibility pop
