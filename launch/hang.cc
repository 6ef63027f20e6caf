// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hang.h"

#include <time.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace starling::launch {

namespace {

// Ranks that still wait say so about once a second; one that shares its core may be late.
constexpr std::uint32_t kFreshSeconds = 4;

enum class Mark { kNew, kOnPath, kDone };

// Depth first; the circle is what lies on the path from where it is met again.
bool search(const Waits& waits, int rank, std::vector<Mark>& marks, std::vector<int>& path) {
  marks[static_cast<std::size_t>(rank)] = Mark::kOnPath;
  path.push_back(rank);
  for (std::uint32_t next : waits[static_cast<std::size_t>(rank)]) {
    if (next >= waits.size()) continue;
    if (marks[next] == Mark::kOnPath) {
      path.erase(path.begin(), std::find(path.begin(), path.end(), static_cast<int>(next)));
      return true;
    }
    if (marks[next] == Mark::kNew && search(waits, static_cast<int>(next), marks, path)) return true;
  }
  path.pop_back();
  marks[static_cast<std::size_t>(rank)] = Mark::kDone;
  return false;
}

std::string list_of(const std::vector<std::uint32_t>& ranks) {
  std::string text;
  for (std::uint32_t rank : ranks)
    text += (text.empty() ? "" : ", ") + (rank == kWaitsForAnybody ? "any other" : "rank " + std::to_string(rank));
  return text;
}

// Ranks that others wait for and that do not wait.
std::vector<std::uint32_t> culprits(const Waits& waits) {
  std::vector<std::uint32_t> found;
  for (const auto& targets : waits)
    for (std::uint32_t rank : targets)
      if (rank < waits.size() && waits[rank].empty() && std::find(found.begin(), found.end(), rank) == found.end())
        found.push_back(rank);
  std::sort(found.begin(), found.end());
  return found;
}

std::string conclusion(const Waits& waits) {
  if (const std::vector<int> circle = find_circle(waits); !circle.empty()) {
    std::string text = "mpiexec: they wait in a circle: ";
    for (int rank : circle) text += std::to_string(rank) + " -> ";
    return text + std::to_string(circle.front()) + "\n";
  }
  const std::vector<std::uint32_t> busy = culprits(waits);
  return busy.empty() ? "" : "mpiexec: all depends on what does not wait in MPI: " + list_of(busy) + "\n";
}

}  // namespace

Waits read_waits(const JobMapping& job, int ranks) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  Waits waits(static_cast<std::size_t>(ranks));
  for (std::uint32_t rank = 0; rank < waits.size(); ++rank) {
    const RankSlot& slot = job.slot(rank);
    const std::uint32_t at = slot.waits_at.load(std::memory_order_acquire);  // pairs with the rank's release
    if (at == 0 || static_cast<std::uint32_t>(now.tv_sec) + 1 - at > kFreshSeconds) continue;
    const std::uint32_t n = std::min(slot.waits.load(std::memory_order_relaxed), kMostWaits);
    for (std::uint32_t i = 0; i < n; ++i) waits[rank].push_back(slot.waits_for[i].load(std::memory_order_relaxed));
  }
  return waits;
}

std::vector<int> find_circle(const Waits& waits) {
  std::vector<Mark> marks(waits.size(), Mark::kNew);
  std::vector<int> path;
  for (std::size_t rank = 0; rank < waits.size(); ++rank)
    if (marks[rank] == Mark::kNew && search(waits, static_cast<int>(rank), marks, path)) return path;
  return {};
}

std::string describe_waits(const Waits& waits) {
  std::string text;
  std::size_t waiting = 0;
  for (std::size_t rank = 0; rank < waits.size(); ++rank) {
    if (waits[rank].empty()) continue;
    ++waiting;
    text += "mpiexec:   rank " + std::to_string(rank) + " waits for " + list_of(waits[rank]) + "\n";
  }
  if (waiting == 0) return "";
  return "mpiexec: " + std::to_string(waiting) + " of " + std::to_string(waits.size()) + " ranks hang:\n" + text +
         conclusion(waits);
}

void HangWatch::look(const JobMapping& job, int ranks) {
  Waits now = read_waits(job, ranks);
  if (now == last_ && now != told_) {
    if (const std::string text = describe_waits(now); !text.empty()) std::fputs(text.c_str(), stderr);
    told_ = now;
  }
  last_ = std::move(now);
}

}  // namespace starling::launch
