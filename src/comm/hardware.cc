// SPDX-License-Identifier: BSD-3-Clause
#include "comm/hardware.h"

#include <dirent.h>
#include <sched.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "comm/agree.h"

namespace starling::comm {

namespace {

constexpr std::size_t kMaxProcessors = 8192;

// The first line of a small file of the kernel; empty if it cannot be read.
std::string first_line(const std::string& path) {
  std::string line;
  if (std::FILE* file = std::fopen(path.c_str(), "re")) {
    char text[256];
    if (std::fgets(text, sizeof text, file)) line.assign(text, std::strcspn(text, "\n"));
    std::fclose(file);
  }
  return line;
}

std::vector<int> allowed_processors() {
  std::vector<int> processors;
  std::vector<unsigned long> mask(kMaxProcessors / (8 * sizeof(unsigned long)));
  auto* set = reinterpret_cast<cpu_set_t*>(mask.data());
  std::size_t bytes = kMaxProcessors / 8;
  if (sched_getaffinity(0, bytes, set) != 0) return processors;
  for (std::size_t cpu = 0; cpu < kMaxProcessors; ++cpu)
    if (CPU_ISSET_S(cpu, bytes, set)) processors.push_back(static_cast<int>(cpu));
  return processors;
}

// The machine's identity: the same for all processes of one running kernel.
std::uint64_t machine() {
  std::string id = first_line("/proc/sys/kernel/random/boot_id");
  if (id.empty()) {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    id = host;
  }
  return hash_of(id) | 1;
}

// The NUMA node is the link nodeN in the processor's directory.
int numa_node_of(const std::string& directory) {
  int node = -1;
  if (DIR* entries = opendir(directory.c_str())) {
    while (const dirent* entry = readdir(entries))
      if (std::strncmp(entry->d_name, "node", 4) == 0) node = std::atoi(entry->d_name + 4);
    closedir(entries);
  }
  return node;
}

// Number of the part of one level that a processor belongs to, -1 if not known. Lists of processors ("4-7,12") are told apart
// by their first number.
int part_of(Level level, int processor) {
  std::string directory = "/sys/devices/system/cpu/cpu" + std::to_string(processor);
  auto number = [&directory](const char* file) {
    std::string text = first_line(directory + file);
    return text.empty() ? -1 : std::atoi(text.c_str());
  };
  switch (level) {
    case Level::kMachine:
      return 0;
    case Level::kPackage:
      return number("/topology/physical_package_id");
    case Level::kNumaNode:
      return numa_node_of(directory);
    case Level::kL3Cache:
      return number("/cache/index3/shared_cpu_list");
    case Level::kCore:
      return number("/topology/thread_siblings_list");
    case Level::kProcessor:
      return processor;
  }
  return -1;
}

}  // namespace

std::uint64_t resource_at(Level level) {
  if (level == Level::kMachine) return machine();
  int part = -1;
  for (int processor : allowed_processors()) {
    int this_part = part_of(level, processor);
    if (this_part < 0 || (part >= 0 && this_part != part)) return 0;
    part = this_part;
  }
  if (part < 0) return 0;
  return provisional_context({machine(), static_cast<std::uint64_t>(level), static_cast<std::uint64_t>(part)});
}

}  // namespace starling::comm
