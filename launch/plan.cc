// SPDX-License-Identifier: BSD-3-Clause
#include "launch/plan.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/error.h"
#include "base/settings.h"
#include "launch/hosts.h"
#include "launch/preloads.h"
#include "launch/process.h"

extern char** environ;

namespace starling::launch {

namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Where we are installed, or the build tree: the folder above that of this program.
std::string own_prefix() {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  std::string self(path, length < 0 ? 0 : static_cast<std::size_t>(length));
  std::size_t folder = self.rfind('/');
  return folder == std::string::npos || folder == 0 ? "" : self.substr(0, self.rfind('/', folder - 1));
}

// NAME=VALUE words and -genv set variables of the ranks; those that are settings of the launcher must reach the launcher too.
void adopt_settings(const EnvironmentRules& rules) {
  for (const auto& [name, value] : rules.assigned) {
    bool setting =
        name.rfind("MVP_", 0) == 0 || name.rfind("MV2_", 0) == 0 || name == "OMP_NUM_THREADS" || name == "MPIEXEC_TIMEOUT";
    if (setting) setenv(name.c_str(), value.c_str(), 1);
  }
}

int threads_per_rank() {
  if (settings().threads_per_process > 0) return settings().threads_per_process;
  return std::max(0, std::atoi(variable("OMP_NUM_THREADS").c_str()));
}

BindingRequest binding_request(const Options& options) {
  const Settings& wishes = settings();
  BindingRequest request;
  request.enabled = wishes.enable_affinity;
  request.policy = wishes.cpu_binding_policy;
  request.level = wishes.cpu_binding_level;
  request.hybrid_policy = wishes.hybrid_binding_policy;
  request.threads = threads_per_rank();
  request.pivot_core = wishes.pivot_core_id;
  request.mapping = wishes.cpu_mapping;
  request.bind_to = options.bind_to.empty() ? variable("HYDRA_BINDING") : options.bind_to;
  request.map_by = options.map_by.empty() ? variable("HYDRA_MAPPING") : options.map_by;
  return request;
}

// On a described machine (HWLOC_SYNTHETIC, HWLOC_XMLFILE; for a look at how another machine would be used) nobody is bound.
Binding bind(const Options& options, int ranks) {
  std::string synthetic = variable("HWLOC_SYNTHETIC"), xml = variable("HWLOC_XMLFILE");
  bool described = !synthetic.empty() || !xml.empty();
  bool print = settings().show_cpu_binding > 0 || options.verbose;
  if (described && !print) described = false;
  Topology topology = described ? describe_topology(synthetic, xml) : read_topology(allowed_processors());
  Binding binding = bind_ranks(topology, ranks, binding_request(options));
  bool print_only = described || !variable("HYDRA_TOPO_DEBUG").empty();
  if (print || print_only) std::fputs(binding_table(topology, binding, threads_per_rank()).c_str(), stderr);
  if (print_only)
    for (RankBinding& rank : binding.ranks) rank.processors.clear();
  return binding;
}

// One word for a shell.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

// What -xterm, -debug and -sg put in front.
std::vector<std::string> wrapped(const Options& options, const std::vector<std::string>& program) {
  std::vector<std::string> words = options.wrapper;
  words.insert(words.end(), program.begin(), program.end());
  if (options.group.empty()) return words;
  std::string command = "exec";
  for (const std::string& word : words) command += " " + quoted(word);
  return {"sg", options.group, "-c", command};
}

PlannedProgram plan_program(const Options& options, const Program& program, const Preloads& preloads) {
  PlannedProgram planned;
  planned.words = program.words;
  planned.directory = program.directory;
  Environment environment(environ, options.environment, program.environment);
  if (!preloads.libraries.empty())
    environment.set("LD_PRELOAD", preloads.libraries + std::string(environment.get("LD_PRELOAD")));
  planned.environment = environment.entries();
  // A rank without PATH of its own is still looked for where the launcher's user would find it.
  std::string path(environment.get("PATH"));
  if (path.empty()) path = variable("PATH");
  if (!program.search_path.empty()) path = program.search_path + ":" + path;
  const std::string& word = program.words.front();
  planned.path = find_program(word, path, program.directory);
  if (planned.path.empty())
    fail(kErrNoSuchFile, "cannot find the program %s in PATH%s", word.c_str(),
         options.personality == Personality::kMpirunRsh ? " (if it is a host: other hosts than this one are not supported yet)"
                                                        : "");
  if (options.wrapper.empty() && options.group.empty()) return planned;
  // What comes in front searches in its own way.
  planned.words.front() = planned.path;
  planned.words = wrapped(options, planned.words);
  planned.path = find_program(planned.words.front(), path, program.directory);
  if (planned.path.empty()) fail(kErrNoSuchFile, "cannot find %s in PATH", planned.words.front().c_str());
  return planned;
}

}  // namespace

Plan make_plan(Options options) {
  check_hosts(options);
  adopt_settings(options.environment);
  for (const Program& program : options.programs) adopt_settings(program.environment);
  if (options.name_server.empty()) options.name_server = settings().nameserver;
  if (!options.name_server.empty() && !is_this_host(options.name_server))
    fail(kErrArg, "-nameserver %s: other hosts than this one are not supported yet", options.name_server.c_str());
  Plan plan;
  plan.host = host_name();
  const Preloads preloads = wanted_preloads(own_prefix());
  for (std::size_t i = 0; i < options.programs.size(); ++i) {
    plan.programs.push_back(plan_program(options, options.programs[i], preloads));
    plan.program_of.insert(plan.program_of.end(), static_cast<std::size_t>(options.programs[i].ranks), static_cast<int>(i));
  }
  plan.binding = bind(options, plan.ranks());
  plan.universe_size = options.universe_size > 0 ? options.universe_size : plan.ranks();
  plan.timeout_seconds = options.timeout_seconds >= 0 ? options.timeout_seconds : settings().mpirun_timeout;
  plan.profile = preloads.profile;
  plan.options = std::move(options);
  return plan;
}

std::string show_text(const Plan& plan) {
  std::string text;
  for (int rank = 0; rank < plan.ranks(); ++rank) {
    const PlannedProgram& program = plan.programs[static_cast<std::size_t>(plan.program_of[static_cast<std::size_t>(rank)])];
    const std::vector<int>& processors = plan.binding.ranks[static_cast<std::size_t>(rank)].processors;
    text += "rank " + std::to_string(rank) + " on " + plan.host + ", processors " +
            (processors.empty() ? "any" : processor_list_text(processors)) + ":";
    if (!program.directory.empty()) text += " cd " + program.directory + " &&";
    text += " " + program.path;
    for (std::size_t i = 1; i < program.words.size(); ++i) text += " " + program.words[i];
    text += "\n";
  }
  return text;
}

std::vector<unsigned long> affinity_mask(const RankBinding& binding) {
  if (binding.processors.empty()) return {};
  constexpr std::size_t kBits = 8 * sizeof(unsigned long);
  std::vector<unsigned long> mask(static_cast<std::size_t>(binding.processors.back()) / kBits + 1, 0);
  for (int id : binding.processors) mask[static_cast<std::size_t>(id) / kBits] |= 1UL << static_cast<std::size_t>(id) % kBits;
  return mask;
}

}  // namespace starling::launch
