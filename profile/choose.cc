// SPDX-License-Identifier: BSD-3-Clause
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

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

enum class Abi { kMpich, kStandard, kOther };

Abi abi_of(void* function) {
  Dl_info info;
  if (!function || !dladdr(function, &info) || !info.dli_fname) return Abi::kOther;
  const char* slash = std::strrchr(info.dli_fname, '/');
  const char* file = slash ? slash + 1 : info.dli_fname;
  if (std::strncmp(file, "libmpi_abi.", 11) == 0) return Abi::kStandard;
  return std::strncmp(file, "libmpi.so.12", 12) == 0 ? Abi::kMpich : Abi::kOther;
}

}  // namespace

// Several threads may come here at once and do the same.
const EntryPointer* choose_entries() {
  for (const char* name : {"libmpi_abi.so.1", "libmpi.so.12"})
    if (!dlsym(RTLD_NEXT, "PMPI_Init") && !library) library = dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
  for (unsigned i = 0; i < kEntries; ++i) next_entries[i] = reinterpret_cast<EntryPointer>(find(kEntryNames[i]));
  const EntryPointer* entries = next_entries;
  switch (abi_of(find("PMPI_Init"))) {
    case Abi::kMpich:
      entries = mpich::wrappers(find);
      break;
    case Abi::kStandard:
      entries = standard::wrappers(find);
      break;
    case Abi::kOther:
      if (!find("PMPI_Init")) {
        std::fputs("starling: the profile library cannot find the MPI library of this program\n", stderr);
        std::abort();
      }
      std::fputs("starling: no profile: this is not a library of the MPICH or the standard ABI\n", stderr);
  }
  chosen_entries.store(entries, std::memory_order_release);
  return entries;
}

}  // namespace starling::profile
