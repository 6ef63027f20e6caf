// SPDX-License-Identifier: BSD-3-Clause
#include "launch/topology.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>

#include "base/error.h"

namespace starling::launch {

namespace {

// The first 4 KiB of a small file; empty if it cannot be read.
std::string read_small_file(const std::string& path) {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return "";
  char text[4096];
  ssize_t n = read(fd, text, sizeof text);
  close(fd);
  while (n > 0 && text[n - 1] == '\n') --n;
  return n > 0 ? std::string(text, static_cast<std::size_t>(n)) : "";
}

using Keys = std::map<int, RawProcessor>;

// Reads the file that lists the neighbours of a processor, for one processor of each group, and gives all of them the same key.
template <class PathOf>
void read_groups(Keys& keys, Level level, PathOf path_of) {
  std::map<int, bool> known;
  for (auto& [id, raw] : keys) {
    if (known[id]) continue;
    std::string list = read_small_file(path_of(id));
    if (list.empty()) continue;
    for (int neighbour : parse_processor_list(list)) {
      auto found = keys.find(neighbour);
      if (found == keys.end()) continue;
      found->second.key[level] = id;
      known[neighbour] = true;
    }
  }
}

void read_numa_nodes(Keys& keys, const std::string& system) {
  DIR* directory = opendir((system + "/node").c_str());
  if (!directory) return;
  while (dirent* entry = readdir(directory)) {
    if (std::strncmp(entry->d_name, "node", 4) != 0 || entry->d_name[4] < '0' || entry->d_name[4] > '9') continue;
    std::string list = read_small_file(system + "/node/" + entry->d_name + "/cpulist");
    if (list.empty()) continue;  // a node of memory only
    for (int id : parse_processor_list(list)) {
      auto found = keys.find(id);
      if (found != keys.end()) found->second.key[kNuma] = std::atoi(entry->d_name + 4);
    }
  }
  closedir(directory);
}

// index2, index3 ... of a processor: which of them is the data or unified cache of level n differs between machines.
void read_caches(Keys& keys, const std::string& system) {
  if (keys.empty()) return;
  std::string first = system + "/cpu/cpu" + std::to_string(keys.begin()->first) + "/cache/index";
  for (int index = 0; index < 8; ++index) {
    std::string number = std::to_string(index);
    std::string level = read_small_file(first + number + "/level");
    if (level.empty() || read_small_file(first + number + "/type") == "Instruction") continue;
    int depth = std::atoi(level.c_str());
    if (depth < 1 || depth > 3) continue;
    read_groups(keys, static_cast<Level>(kL1 + depth - 1), [&](int id) {
      return system + "/cpu/cpu" + std::to_string(id) + "/cache/index" + number + "/shared_cpu_list";
    });
  }
}

}  // namespace

const char* level_name(Level level) {
  constexpr const char* kNames[] = {"hwthread", "core", "l1cache", "l2cache", "l3cache", "numa", "socket", "machine"};
  return level < kLevels ? kNames[level] : "?";
}

Level level_of(const std::string& word) {
  static constexpr struct {
    const char* word;
    Level level;
  } kWords[] = {{"hwthread", kHwthread}, {"pu", kHwthread},    {"thread", kHwthread}, {"core", kCore},
                {"l1cache", kL1},        {"l1", kL1},          {"l2cache", kL2},      {"l2", kL2},
                {"l3cache", kL3},        {"l3", kL3},          {"numa", kNuma},       {"numanode", kNuma},
                {"socket", kSocket},     {"package", kSocket}, {"board", kMachine},   {"machine", kMachine}};
  for (const auto& row : kWords)
    if (word == row.word) return row.level;
  return kLevels;
}

std::vector<const Processor*> Topology::members(Level level, int group) const {
  std::vector<const Processor*> found;
  for (const Processor& processor : processors)
    if (processor.group[level] == group) found.push_back(&processor);
  return found;
}

Topology make_topology(std::vector<RawProcessor> raw) {
  std::sort(raw.begin(), raw.end(), [](const RawProcessor& a, const RawProcessor& b) {
    for (int level = kMachine; level >= kCore; --level)
      if (a.key[level] != b.key[level]) return a.key[level] < b.key[level];
    return a.id < b.id;
  });
  Topology topology;
  std::array<std::map<long, int>, kLevels> dense;
  for (const RawProcessor& source : raw) {
    Processor processor{source.id, {}};
    for (int level = 0; level < kLevels; ++level)
      processor.group[level] = dense[level].try_emplace(source.key[level], static_cast<int>(dense[level].size())).first->second;
    topology.processors.push_back(processor);
  }
  for (int level = 0; level < kLevels; ++level) topology.count[level] = static_cast<int>(dense[level].size());
  return topology;
}

std::vector<int> allowed_processors() {
  std::vector<int> allowed;
  for (int size = 1024; size <= 1 << 20; size *= 2) {
    cpu_set_t* mask = CPU_ALLOC(size);
    std::size_t bytes = CPU_ALLOC_SIZE(size);
    if (!mask) break;
    CPU_ZERO_S(bytes, mask);
    int result = sched_getaffinity(0, bytes, mask);
    if (result == 0)
      for (int id = 0; id < size; ++id)
        if (CPU_ISSET_S(id, bytes, mask)) allowed.push_back(id);
    CPU_FREE(mask);
    if (result == 0 || errno != EINVAL) break;  // EINVAL: the kernel's mask is longer
  }
  return allowed;
}

Topology read_topology(const std::vector<int>& allowed, const std::string& system) {
  Keys keys;
  for (int id : allowed) {
    RawProcessor raw{id, {}};
    for (Level level : {kHwthread, kCore}) raw.key[level] = id;
    raw.key[kL3] = -1;  // unknown: one for all
    keys[id] = raw;
  }
  auto topology_file = [&](const char* name) {
    return [&system, name](int id) { return system + "/cpu/cpu" + std::to_string(id) + "/topology/" + name; };
  };
  read_groups(keys, kCore, topology_file("thread_siblings_list"));
  for (auto& [id, raw] : keys) raw.key[kL1] = raw.key[kL2] = raw.key[kCore];  // unless the kernel tells otherwise
  read_groups(keys, kSocket, topology_file("core_siblings_list"));
  read_numa_nodes(keys, system);
  read_caches(keys, system);
  std::vector<RawProcessor> raw;
  for (auto& [id, processor] : keys) raw.push_back(processor);
  return make_topology(std::move(raw));
}

std::vector<int> parse_processor_list(const std::string& text) {
  std::vector<int> processors;
  const char* p = text.c_str();
  auto number = [&] {
    char* end;
    long value = std::strtol(p, &end, 10);
    if (end == p || value < 0 || value > 1 << 20) fail(kErrArg, "\"%s\" is not a list of processors like 0,2-4", text.c_str());
    p = end;
    return static_cast<int>(value);
  };
  while (true) {
    int first = number(), last = first;
    if (*p == '-') ++p, last = number();
    if (last < first) fail(kErrArg, "\"%s\": a range of processors runs upwards", text.c_str());
    for (int id = first; id <= last; ++id) processors.push_back(id);
    if (!*p) return processors;
    if (*p != ',' && *p != '+') fail(kErrArg, "\"%s\" is not a list of processors like 0,2-4", text.c_str());
    ++p;
  }
}

std::string processor_list_text(std::vector<int> processors) {
  std::sort(processors.begin(), processors.end());
  std::string text;
  for (std::size_t i = 0; i < processors.size();) {
    std::size_t last = i;
    while (last + 1 < processors.size() && processors[last + 1] == processors[last] + 1) ++last;
    if (!text.empty()) text += ',';
    text += std::to_string(processors[i]);
    if (last > i) text.append(1, last == i + 1 ? ',' : '-').append(std::to_string(processors[last]));
    i = last + 1;
  }
  return text;
}

}  // namespace starling::launch
