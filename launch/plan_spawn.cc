// SPDX-License-Identifier: BSD-3-Clause
// Plans of jobs that do not come from a command line: those that a rank spawns, and that of a process which runs already.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/settings.h"
#include "launch/hosts.h"
#include "launch/plan.h"
#include "launch/topology.h"

namespace starling::launch {

namespace {

const std::string* find(const SpawnBlock::Pairs& pairs, const char* key) {
  auto found = std::find_if(pairs.begin(), pairs.end(), [key](const auto& pair) { return pair.first == key; });
  return found == pairs.end() ? nullptr : &found->second;
}

Program program_of(const SpawnBlock& block) {
  if (block.ranks < 1) fail(kErrArg, "%d processes of %s are to be started", block.ranks, block.program.c_str());
  if (const std::string* host = find(block.info, "host"); host && !is_this_host(*host))
    fail(kErrArg, "other hosts than this one are not supported yet, and %s is to run on %s", block.program.c_str(),
         host->c_str());
  Program program;
  program.ranks = block.ranks;
  program.words = {block.program};
  program.words.insert(program.words.end(), block.arguments.begin(), block.arguments.end());
  const std::string* directory = find(block.info, "wdir");
  if (!directory) directory = find(block.info, "wd");
  if (directory) program.directory = *directory;
  if (const std::string* path = find(block.info, "path")) program.search_path = *path;
  return program;
}

// What can be known before it is tried, so that the one who spawns gets an error and nobody else a message.
void check_startable(const PlannedProgram& program) {
  struct stat status;
  if (!program.directory.empty() && (stat(program.directory.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)))
    fail(kErrNoSuchFile, "there is no folder %s", program.directory.c_str());
  const std::string path =
      program.path[0] == '/' || program.directory.empty() ? program.path : program.directory + "/" + program.path;
  if (stat(path.c_str(), &status) != 0) fail(kErrNoSuchFile, "there is no %s", path.c_str());
  if (!S_ISREG(status.st_mode) || access(path.c_str(), X_OK) != 0) fail(kErrNoSuchFile, "%s cannot be executed", path.c_str());
}

}  // namespace

Plan singleton_plan(Options options) {
  Plan plan;
  plan.host = host_name();
  plan.programs = {PlannedProgram{"", {"singleton"}, "", {}}};
  plan.program_of = {0};
  plan.binding.ranks.resize(1);
  plan.universe_size = 1;
  if (options.name_server.empty()) options.name_server = settings().nameserver;
  plan.options = std::move(options);
  return plan;
}

Plan plan_spawn(const Plan& parent, const std::vector<SpawnBlock>& blocks, int running) {
  Options options = parent.options;
  options.programs.clear();
  options.singleton_fd = -1;
  options.name_server.clear();  // the agent of the parent is asked
  options.bind_to = "none";     // the ranks that are there have their cores
  options.map_by.clear();
  options.universe_size = parent.universe_size;
  options.timeout_seconds = 0;
  for (const SpawnBlock& block : blocks) options.programs.push_back(program_of(block));
  Plan plan = make_plan(std::move(options));
  for (const PlannedProgram& program : plan.programs) check_startable(program);
  const auto processors = std::max<std::size_t>(allowed_processors().size(), 1);
  const auto sharing = (static_cast<std::size_t>(running + plan.ranks()) + processors - 1) / processors;
  for (RankBinding& rank : plan.binding.ranks) rank.ranks_per_core = static_cast<std::uint32_t>(sharing);
  return plan;
}

}  // namespace starling::launch
