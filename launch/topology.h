// SPDX-License-Identifier: BSD-3-Clause
// The processors a job may use and how they are grouped, as far as binding needs it.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace starling::launch {

// Groups of processors, from small to large.
enum Level : int { kHwthread, kCore, kL1, kL2, kL3, kNuma, kSocket, kMachine, kLevels };

const char* level_name(Level level);
// The level a user means by "core", "socket", "package", "numanode", "l3cache" ...; kLevels if none.
Level level_of(const std::string& word);

struct Processor {
  int id;                          // the operating system's number
  std::array<int, kLevels> group;  // which group of each level it is in, 0, 1, 2 ... in the order of `processors`
};

// Processors in topological order: neighbours in the list are neighbours in the machine. Only those that the job may use
// (affinity mask, cgroup): groups without such a processor do not count.
struct Topology {
  std::vector<Processor> processors;
  std::array<int, kLevels> count{};  // groups of each level

  // The processors of one group, in topological order.
  std::vector<const Processor*> members(Level level, int group) const;
};

// One processor with the keys of its groups as the source gives them (any numbers, unique per level), to be made dense.
struct RawProcessor {
  int id;
  std::array<long, kLevels> key;
};
// Sorts by socket, NUMA node, caches, core and numbers the groups.
Topology make_topology(std::vector<RawProcessor> raw);

// The processors this process may run on, by the kernel's affinity mask (which respects cgroups).
std::vector<int> allowed_processors();

// Reads the groups of the allowed processors from the kernel's description, usually below /sys/devices/system. What is not told
// counts as: every processor a core of its own, one socket. A few files for each core; no library (hwloc takes 3 ms here).
Topology read_topology(const std::vector<int>& allowed, const std::string& system = "/sys/devices/system");

// A machine described by hwloc's "synthetic" syntax, or by an XML file of lstopo, for tests and for a look at a foreign
// machine. Loads libhwloc. Throws Error(kErrOther) if that fails.
Topology describe_topology(const std::string& synthetic, const std::string& xml_file);

// "0,2-4" -> 0 2 3 4. Throws Error(kErrArg).
std::vector<int> parse_processor_list(const std::string& text);
// 0 2 3 4 -> "0,2-4". The input need not be sorted.
std::string processor_list_text(std::vector<int> processors);

}  // namespace starling::launch
