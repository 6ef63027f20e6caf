// SPDX-License-Identifier: BSD-3-Clause
// Memory of dynamic windows (MPI 5.0 section 12.2.4). The owner writes its table in the segment, where origins read it.
#include "base/error.h"
#include "rma/entry.gen.h"
#include "rma/win.h"

namespace starling::rma {

namespace {

struct Table {
  explicit Table(Win& win) : words(win.words(win.comm->rank)), regions(win.segment.regions(win.comm->rank)) {}
  std::uint32_t used() const { return words.regions.load(std::memory_order_relaxed); }
  bool holds(std::uint32_t i) const { return regions[i].base.load(std::memory_order_relaxed) != 0; }

  RankWords& words;
  Region* regions;
};

void check_dynamic(const Win& win) {
  if (win.flavor != kWinFlavorDynamic) fail(kErrRmaFlavor, "memory can be attached to windows of MPI_Win_create_dynamic only");
}

void check_free(const Table& table, std::uint64_t base, std::uint64_t size) {
  for (std::uint32_t i = 0; i < table.used(); ++i) {
    const std::uint64_t other = table.regions[i].base.load(std::memory_order_relaxed);
    const std::uint64_t other_size = table.regions[i].size.load(std::memory_order_relaxed);
    if (other != 0 && (base == other || (base < other + other_size && other < base + size)))
      fail(kErrRmaAttach, "the %llu bytes at %p overlap memory that is attached already", static_cast<unsigned long long>(size),
           reinterpret_cast<void*>(base));
  }
}

}  // namespace

void win_attach(Win& win, void* base, Count size) {
  check_dynamic(win);
  if (!base) {
    if (size > 0) fail(kErrArg, "base is a null pointer");
    return;
  }
  const Table table(win);
  const auto address = reinterpret_cast<std::uint64_t>(base), bytes = static_cast<std::uint64_t>(size);
  check_free(table, address, bytes);
  std::uint32_t entry = 0;
  while (entry < table.used() && table.holds(entry)) ++entry;
  if (entry == kMostRegions) fail(kErrRmaAttach, "%u pieces of memory are attached, the most there can be", kMostRegions);
  table.regions[entry].size.store(bytes, std::memory_order_relaxed);
  table.regions[entry].base.store(address, std::memory_order_relaxed);
  // release: whoever sees the number sees the entry. Old entries are changed only while no origin may use them.
  if (entry == table.used()) table.words.regions.store(entry + 1, std::memory_order_release);
}

void win_detach(Win& win, const void* base) {
  check_dynamic(win);
  if (!base) return;
  const Table table(win);
  for (std::uint32_t i = 0; i < table.used(); ++i) {
    if (table.regions[i].base.load(std::memory_order_relaxed) != reinterpret_cast<std::uint64_t>(base)) continue;
    table.regions[i].size.store(0, std::memory_order_relaxed);
    table.regions[i].base.store(0, std::memory_order_relaxed);
    return;
  }
  fail(kErrRmaAttach, "no memory is attached at %p", base);
}

}  // namespace starling::rma
