// SPDX-License-Identifier: BSD-3-Clause
// mpi_info: what this installation is, can do, and can be told.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "collectives.h"
#include "report.h"

namespace {

constexpr const char* kHelp =
    "Usage: mpi_info [options] [PATTERN]\n"
    "\n"
    "Prints the version and build of Starling, all settings with their value in this environment, and which functions of MPI\n"
    "are implemented. With PATTERN, only settings and functions whose name contains it.\n"
    "  --settings    only the settings\n"
    "  --functions   only the functions, each by name\n"
    "  --json        as JSON\n"
    "  --names       the names of the settings, one a line\n"
    "  --variables   what tools can read while a program runs (MPI_T): performance variables and events\n"
    "  --version     the version\n"
    "  --collectives which algorithms collective operations would use, and why, for\n"
    "       -n RANKS (default 4) on --nodes NODES (1), with --size BYTES (1K; suffix K, M, G)\n"
    "  --simulate [allreduce|bcast|alltoall]\n"
    "                predicted times of all algorithms for up to 65536 ranks, --ppn RANKS on each node (16), --size BYTES\n"
    "  -help         this text\n";

// A positive number with a suffix K, M or G; nullopt: text is something else.
std::optional<long long> number(const char* text) {
  if (!text) return {};
  char* end;
  long long value = std::strtoll(text, &end, 10);
  for (const char* suffix = "KMG"; *end && *suffix; ++suffix) {
    value *= 1024;
    if (*end == *suffix || *end == *suffix + 'a' - 'A') {
      ++end;
      break;
    }
  }
  if (*end || value <= 0 || value > 1LL << 40) return {};
  return value;
}

// mpi_info --collectives ... and --simulate ...: what stands behind them describes the job.
int report_collectives(int argc, char** argv) {
  starling::info::Job job{4, 1, 1024};
  const bool simulate = std::string_view(argv[0]).ends_with("-simulate");
  std::string_view collective;
  int ranks_per_node = 16;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool ranks = word == "-n" || word == "-np", nodes = word == "--nodes" || word == "-nodes";
    const bool size = word == "--size" || word == "-size", ppn = word == "--ppn" || word == "-ppn";
    if (simulate && word[0] != '-') {
      collective = word;
      continue;
    }
    const std::optional<long long> value = number(i + 1 < argc ? argv[i + 1] : nullptr);
    const long long most = size ? 1LL << 40 : 1 << 20;
    if (!(ranks || nodes || size || ppn) || !value || *value > most) {
      std::fprintf(stderr, "mpi_info: %s: not understood here; see mpi_info -help\n", argv[i]);
      return 2;
    }
    if (ranks) job.ranks = static_cast<int>(*value);
    if (nodes) job.nodes = static_cast<int>(*value);
    if (size) job.bytes = *value;
    if (ppn) ranks_per_node = static_cast<int>(*value);
    ++i;
  }
  const std::string report = simulate ? starling::info::simulation_report(collective, ranks_per_node, job.bytes)
                                      : starling::info::collectives_report(job);
  if (report.empty()) {
    std::fprintf(stderr, "mpi_info: only allreduce, bcast and alltoall are simulated\n");
    return 2;
  }
  return std::fputs(report.c_str(), stdout) < 0;
}

}  // namespace

int main(int argc, char** argv) {
  starling::info::Selection selection;
  bool json = false;
  for (int i = 1; i < argc; ++i) {
    const char* word = argv[i];
    if (word[0] == '-' && word[1] == '-' && word[2]) ++word;  // -x and --x are the same
    if (std::strcmp(word, "-settings") == 0) {
      selection.build = selection.functions = false;
    } else if (std::strcmp(word, "-functions") == 0) {
      selection.build = selection.settings = false;
      selection.names_of_functions = true;
    } else if (std::strcmp(word, "-collectives") == 0 || std::strcmp(word, "-simulate") == 0) {
      try {
        return report_collectives(argc - i, argv + i);
      } catch (const starling::Error& error) {
        std::fprintf(stderr, "mpi_info: %s\n", error.message.c_str());
        return 1;
      }
    } else if (std::strcmp(word, "-json") == 0) {
      json = true;
    } else if (std::strcmp(word, "-names") == 0) {
      return std::fputs(starling::info::setting_names().c_str(), stdout) < 0;
    } else if (std::strcmp(word, "-variables") == 0) {
      return std::fputs(starling::info::variables_report(i + 1 < argc ? argv[i + 1] : "").c_str(), stdout) < 0;
    } else if (std::strcmp(word, "-version") == 0) {
      selection.settings = selection.functions = false;
    } else if (std::strcmp(word, "-help") == 0 || std::strcmp(word, "-h") == 0) {
      return std::fputs(kHelp, stdout) < 0;
    } else if (word[0] == '-') {
      std::fprintf(stderr, "mpi_info: %s is not an option; see mpi_info -help\n", argv[i]);
      return 2;
    } else {
      selection.pattern = word;
      selection.build = false;
      selection.names_of_functions = true;
    }
  }
  std::string report = json ? starling::info::json_report(selection) : starling::info::text_report(selection);
  return std::fputs(report.c_str(), stdout) < 0;
}
