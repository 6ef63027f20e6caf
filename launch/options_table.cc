// SPDX-License-Identifier: BSD-3-Clause
// Every option of the launcher, one row each; help and parser both come from here. The names are those that users of Hydra's
// mpiexec and of mpirun_rsh have in their scripts.
#include <cerrno>
#include <cstdlib>
#include <iterator>

#include "base/error.h"
#include "launch/options.h"

namespace starling::launch {

namespace {

using Values = const std::vector<std::string>&;
using Inherit = EnvironmentRules::Inherit;
constexpr auto kEffect = OptionRow::Kind::kEffect;
constexpr auto kIgnored = OptionRow::Kind::kIgnored;
constexpr auto kUnsupported = OptionRow::Kind::kUnsupported;

int number(const std::string& text, const char* what, int least) {
  char* end;
  errno = 0;
  long value = std::strtol(text.c_str(), &end, 10);
  if (errno || end == text.c_str() || *end || value < least || value > 1000000)
    fail(kErrArg, "%s must be a number of at least %d, not \"%s\"", what, least, text.c_str());
  return static_cast<int>(value);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= text.size();) {
    auto end = text.find(separator, start);
    if (end == text.npos) end = text.size();
    if (end > start) parts.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

void inherit(EnvironmentRules& rules, Inherit kind, const std::string& list = "") {
  rules.inherit = kind;
  rules.inherited = split(list, ',');
}

const OptionRow kRows[] = {
    {kEffect, "n np", "N", "number of ranks of the program",
     [](ParseState& s, Values v) { s.program.ranks = number(v[0], "the number of ranks", 1); }},
    {kEffect, "ppn perhost", "N", "ranks on each host",
     [](ParseState& s, Values v) { s.options.ranks_per_host = number(v[0], "the number of ranks on a host", 1); }},
    {kEffect, "configfile config", "FILE", "read programs from FILE, a line each: -n 2 ./program arguments",
     [](ParseState& s, Values v) { s.config_files.push_back(v[0]); }},
    {kEffect, "wdir wd", "DIR", "working directory of the program",
     [](ParseState& s, Values v) { s.program.directory = v[0]; }},
    {kEffect, "path", "DIRS", "where to look for the program before PATH",
     [](ParseState& s, Values v) { s.program.search_path = v[0]; }},
    {kEffect, "usize", "N", "size of the universe (attribute MPI_UNIVERSE_SIZE)",
     [](ParseState& s, Values v) {
       if (v[0] != "SYSTEM" && v[0] != "INFINITE") s.options.universe_size = number(v[0], "the size of the universe", 1);
     }},

    {kEffect, "f hostfile machinefile", "FILE", "hosts, one a line: host or host:ranks",
     [](ParseState& s, Values v) { s.options.host_file = v[0]; }},
    {kEffect, "hosts host", "LIST", "hosts, separated by commas",
     [](ParseState& s, Values v) {
       for (std::string& host : split(v[0], ',')) s.options.hosts.push_back(std::move(host));
     }},
    {kEffect, "localhost", "NAME", "name of this host",
     [](ParseState& s, Values v) { s.options.environment.assigned.emplace_back("PMI_HOSTNAME", v[0]); }},

    {kEffect, "genv", "NAME VALUE", "set a variable for all ranks",
     [](ParseState& s, Values v) { s.options.environment.assigned.emplace_back(v[0], v[1]); }},
    {kEffect, "genvlist", "LIST", "pass only these variables of the launcher's environment",
     [](ParseState& s, Values v) { inherit(s.options.environment, Inherit::kList, v[0]); }},
    {kEffect, "genvall export export-all", "", "pass the launcher's whole environment (default)",
     [](ParseState& s, Values) { inherit(s.options.environment, Inherit::kAll); }},
    {kEffect, "genvnone", "", "pass nothing of the launcher's environment",
     [](ParseState& s, Values) { inherit(s.options.environment, Inherit::kNone); }},
    {kEffect, "genvexcl", "LIST", "pass all but these variables",
     [](ParseState& s, Values v) {
       for (std::string& name : split(v[0], ',')) s.options.environment.excluded.push_back(std::move(name));
     }},
    {kEffect, "env", "NAME VALUE", "set a variable for this program",
     [](ParseState& s, Values v) { s.program.environment.assigned.emplace_back(v[0], v[1]); }},
    {kEffect, "envlist", "LIST", "as -genvlist, for this program",
     [](ParseState& s, Values v) { inherit(s.program.environment, Inherit::kList, v[0]); }},
    {kEffect, "envall", "", "as -genvall, for this program",
     [](ParseState& s, Values) { inherit(s.program.environment, Inherit::kAll); }},
    {kEffect, "envnone", "", "as -genvnone, for this program",
     [](ParseState& s, Values) { inherit(s.program.environment, Inherit::kNone); }},

    {kEffect, "bind-to bind binding", "OBJECT[:N]",
     "bind each rank to N of: hwthread core l1cache l2cache l3cache numa socket machine; none; user:0,1+2,3",
     [](ParseState& s, Values v) { s.options.bind_to = v[0]; }},
    {kEffect, "map-by map", "OBJECT[:N]", "place successive ranks on successive objects (with -bind-to)",
     [](ParseState& s, Values v) { s.options.map_by = v[0]; }},

    {kEffect, "l prepend-rank", "", "put \"[rank] \" before each line of output",
     [](ParseState& s, Values) { s.options.prepend_pattern = "[%r] "; }},
    {kEffect, "prepend-pattern", "PATTERN", "put PATTERN before each line; %r is the rank, %h the host, %p the process id",
     [](ParseState& s, Values v) { s.options.prepend_pattern = v[0]; }},
    {kEffect, "outfile-pattern", "PATTERN", "write standard output to files, e.g. out.%r; also %h",
     [](ParseState& s, Values v) { s.options.outfile_pattern = v[0]; }},
    {kEffect, "errfile-pattern", "PATTERN", "write standard error to files",
     [](ParseState& s, Values v) { s.options.errfile_pattern = v[0]; }},
    {kEffect, "print-all-exitcodes", "", "print the exit code of every rank",
     [](ParseState& s, Values) { s.options.print_exit_codes = true; }},

    {kEffect, "nameserver", "HOST", "publish names for all jobs that use the mpi_nameserver on HOST",
     [](ParseState& s, Values v) { s.options.name_server = v[0]; }},
    {kEffect, "serve-singleton", "FD", "used by the library: serve the process at the other end of descriptor FD",
     [](ParseState& s, Values v) { s.options.singleton_fd = number(v[0], "the descriptor", 3); }},
    {kEffect, "timeout", "SECONDS", "end the job after so many seconds",
     [](ParseState& s, Values v) { s.options.timeout_seconds = number(v[0], "the timeout", 0); }},
    {kEffect, "disable-auto-cleanup", "", "let the others run when a rank fails",
     [](ParseState& s, Values) { s.options.auto_cleanup = false; }},
    {kEffect, "xterm", "", "run each rank in a terminal window of its own",
     [](ParseState& s, Values) {
       s.options.wrapper = {"xterm", "-e"};
     }},
    {kEffect, "debug gdb", "", "run each rank under gdb in a terminal window of its own",
     [](ParseState& s, Values) {
       s.options.wrapper = {"xterm", "-e", "gdb", "--args"};
     }},
    {kEffect, "tv", "", "run the job under TotalView", [](ParseState& s, Values) { s.options.totalview = true; }},
    {kEffect, "sg", "GROUP", "run the ranks with this group id, by sg(1)",
     [](ParseState& s, Values v) { s.options.group = v[0]; }},
    {kEffect, "show", "", "print what would be run, run nothing", [](ParseState& s, Values) { s.options.show_only = true; }},
    {kEffect, "v verbose", "", "tell what happens", [](ParseState& s, Values) { s.options.verbose = true; }},
    {kEffect, "version V", "", "print the version",
     [](ParseState& s, Values) { s.options.action = Options::Action::kVersion; }},
    {kEffect, "info", "", "print how this launcher was built and what it can do",
     [](ParseState& s, Values) { s.options.action = Options::Action::kInfo; }},
    {kEffect, "h help", "", "print this text", [](ParseState& s, Values) { s.options.action = Options::Action::kHelp; }},

    {kIgnored, "launcher", "NAME", "accepted; ranks on this host need no remote shell", nullptr},
    {kIgnored, "launcher-exec", "PROGRAM", "accepted", nullptr},
    {kIgnored, "rsh ssh legacy", "", "accepted", nullptr},
    {kIgnored, "rmk", "NAME", "accepted", nullptr},
    {kIgnored, "iface", "NAME", "accepted; ranks on one host use no network", nullptr},
    {kIgnored, "demux", "NAME", "accepted", nullptr},
    {kIgnored, "topolib", "NAME", "accepted", nullptr},
    {kIgnored, "membind", "POLICY", "accepted; memory follows the binding by first touch", nullptr},
    {kIgnored, "order-nodes", "ORDER", "accepted", nullptr},
    {kIgnored, "disable-hostname-propagation enable-x disable-x", "", "accepted", nullptr},
    {kIgnored, "dpm", "", "accepted", nullptr},
    {kIgnored, "spawnfile", "FILE", "accepted", nullptr},

    {kUnsupported, "sparehosts", "FILE", "migration needs several hosts", nullptr},
    {kUnsupported, "ckpointlib ckpoint-prefix ckpoint-interval ckpoint-num", "VALUE", "checkpointing", nullptr},
};

}  // namespace

OptionTable option_table() { return {std::begin(kRows), std::end(kRows)}; }

}  // namespace starling::launch
