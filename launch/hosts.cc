// SPDX-License-Identifier: BSD-3-Clause
#include "launch/hosts.h"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "base/error.h"

namespace starling::launch {

namespace {

// "user@host:slots:adapter" -> "host", and the slots (0: not said).
std::string bare_name(const std::string& word, int& slots) {
  std::string name = word.substr(word.find('@') == word.npos ? 0 : word.find('@') + 1);
  slots = 0;
  auto colon = name.find(':');
  if (colon != name.npos && name != "::1") {
    slots = std::atoi(name.c_str() + colon + 1);
    name.resize(colon);
  }
  return name;
}

// The host file in force: what the user named, else what the environment names, else mpirun_rsh's default, if it is there.
std::string host_file(const Options& options) {
  if (!options.host_file.empty() || !options.hosts.empty()) return options.host_file;
  if (const char* path = std::getenv("HYDRA_HOST_FILE")) return path;
  const char* home = std::getenv("HOME");
  if (options.personality == Personality::kMpirunRsh && home) {
    std::string path = std::string(home) + "/.mpirun_hosts";
    if (access(path.c_str(), R_OK) == 0) return path;
  }
  return "";
}

// First words of the lines of a host file; `#` starts a comment.
std::vector<std::string> read_host_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) fail(kErrArg, "cannot read the host file %s: %s", path.c_str(), std::strerror(errno));
  std::vector<std::string> hosts;
  for (std::string line; std::getline(file, line);) {
    line.resize(std::min(line.find('#'), line.size()));
    auto start = line.find_first_not_of(" \t\r");
    if (start == line.npos) continue;
    hosts.push_back(line.substr(start, line.find_first_of(" \t\r", start) - start));
  }
  if (hosts.empty()) fail(kErrArg, "the host file %s names no host", path.c_str());
  return hosts;
}

}  // namespace

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

bool is_this_host(const std::string& word) {
  int slots;
  std::string name = bare_name(word, slots);
  if (name == "localhost" || name == "127.0.0.1" || name == "::1" || name == "localhost.localdomain") return true;
  std::string own = host_name();
  return name == own || name == own.substr(0, own.find('.')) || name.substr(0, name.find('.')) == own;
}

void check_hosts(const Options& options) {
  std::vector<std::string> hosts = options.hosts;
  std::string file = host_file(options);
  if (!file.empty())
    for (std::string& host : read_host_file(file)) hosts.push_back(std::move(host));
  for (const std::string& host : hosts)
    if (!is_this_host(host))
      fail(kErrArg, "host %s is not this host (%s): jobs on other hosts are not supported yet", host.c_str(),
           host_name().c_str());
}

int default_ranks(const Options& options) {
  if (options.ranks_per_host > 0) return options.ranks_per_host;
  std::vector<std::string> hosts = options.hosts;
  std::string file = host_file(options);
  if (!file.empty()) hosts = read_host_file(file);
  int total = 0;
  for (const std::string& host : hosts) {
    int slots;
    bare_name(host, slots);
    total += slots > 0 ? slots : 1;
  }
  return total > 0 ? total : 1;
}

}  // namespace starling::launch
