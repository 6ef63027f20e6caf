// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "profile/entry.h"

namespace starling::profile {

std::atomic<const EntryPointer*> chosen_entries{nullptr};
EntryPointer next_entries[kEntries];

namespace {

void* library = nullptr;  // where names are found that RTLD_NEXT does not reach: a Python module keeps its libraries to itself

void* find(const char* name) {
  void* found = dlsym(RTLD_NEXT, name);
  return found || !library ? found : dlsym(library, name);
}

struct Abi {
  const char* library;  // that has it; a library is known by this name under whatever path it was loaded
  const EntryPointer* (*wrappers)(void* (*find)(const char* name));
};
constexpr Abi kAbis[] = {{"libmpi_abi.so.1", standard::wrappers}, {"libmpi.so.12", mpich::wrappers}};

}  // namespace

// Several threads may come here at once and do the same.
const EntryPointer* choose_entries() {
  const Abi* found = nullptr;
  for (const Abi& abi : kAbis) {
    void* handle = found ? nullptr : dlopen(abi.library, RTLD_LAZY | RTLD_NOLOAD);
    if (!handle) continue;
    if (!dlsym(RTLD_NEXT, "PMPI_Init")) library = handle;
    if (dlsym(handle, "PMPI_Init") == find("PMPI_Init")) found = &abi;
  }
  if (!find("PMPI_Init")) {
    std::fputs("starling: the profile library cannot find the MPI library of this program\n", stderr);
    std::abort();
  }
  if (!found) std::fputs("starling: no profile: this is not a library of the MPICH or the standard ABI\n", stderr);
  for (unsigned i = 0; i < kEntries; ++i) next_entries[i] = reinterpret_cast<EntryPointer>(find(kEntryNames[i]));
  const EntryPointer* entries = found ? found->wrappers(find) : next_entries;
  chosen_entries.store(entries, std::memory_order_release);
  return entries;
}

}  // namespace starling::profile
