// SPDX-License-Identifier: BSD-3-Clause
// The command line of mpiexec, mpirun and mpirun_rsh, as data. One table of options serves all three names (options_table.cc).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace starling::launch {

// Which name the program was called by. It changes little: mpirun_rsh takes host names before the program and must be told -np.
enum class Personality { kMpiexec, kMpirunRsh };

// Which variables ranks get: what they inherit, then assignments in order. Global rules come first, those of a program after.
struct EnvironmentRules {
  enum class Inherit { kUnsaid, kAll, kNone, kList };
  Inherit inherit = Inherit::kUnsaid;
  std::vector<std::string> inherited;                         // names, for kList
  std::vector<std::string> excluded;                          // names not to inherit
  std::vector<std::pair<std::string, std::string>> assigned;  // NAME, VALUE
};

// One block between ':' on the command line, or one line of a configuration file.
struct Program {
  int ranks = 0;                   // 0: not said
  std::vector<std::string> words;  // the program and its arguments
  std::string directory;           // working directory; empty: the launcher's
  std::string search_path;         // -path: searched before PATH
  EnvironmentRules environment;
};

struct Options {
  enum class Action { kRun, kHelp, kVersion, kInfo };
  Action action = Action::kRun;
  Personality personality = Personality::kMpiexec;
  std::string called_as;  // for messages
  std::vector<Program> programs;
  EnvironmentRules environment;    // for all programs
  std::vector<std::string> hosts;  // as written: host, host:slots, user@host
  std::string host_file;
  int ranks_per_host = 0;       // 0: not said
  std::string prepend_pattern;  // before each line of output; empty: none
  std::string outfile_pattern, errfile_pattern;
  std::string bind_to, map_by;       // Hydra's syntax; empty: the settings decide
  int timeout_seconds = -1;          // -1: not said; 0: none
  int universe_size = 0;             // 0: number of ranks
  int singleton_fd = -1;             // serve the process at the other end, start nobody
  std::vector<std::string> wrapper;  // words in front of every program: a terminal, a debugger
  std::string group;                 // the ranks run with this group id; empty: with the launcher's
  bool totalview = false;            // to be run by TotalView, not by itself
  std::string name_server;           // host of mpi_nameserver; empty: names are kept by the agent
  bool print_exit_codes = false;
  bool auto_cleanup = true;  // a failed rank ends the job
  bool show_only = false;
  bool verbose = false;
};

// Reads the words after the program's own name. Throws Error(kErrArg) with a sentence for the user.
Options parse_command_line(std::string_view called_as, const std::vector<std::string>& words);

// The text of --help, from the table of options.
std::string help_text(std::string_view called_as);

// ------------------------------------------------------------------------------------------------ for options_table.cc

// Where the parser stands while it applies options.
struct ParseState {
  Options& options;
  Program& program;                       // the block being read
  std::vector<std::string> config_files;  // to be read after the command line
};

struct OptionRow {
  enum class Kind { kEffect, kIgnored, kUnsupported };
  Kind kind;
  const char* names;   // blank-separated, without dashes; the first is the one shown
  const char* values;  // blank-separated names of the values that follow, as help shows them
  const char* help;
  void (*apply)(ParseState& state, const std::vector<std::string>& values);  // only for kEffect
};

struct OptionTable {
  const OptionRow* begin;
  const OptionRow* end;
};
OptionTable option_table();

}  // namespace starling::launch
