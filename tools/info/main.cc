// SPDX-License-Identifier: BSD-3-Clause
// mpi_info: what this installation is, can do, and can be told.
#include <cstdio>
#include <cstring>

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
    "  --version     the version\n"
    "  -help         this text\n";

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
    } else if (std::strcmp(word, "-json") == 0) {
      json = true;
    } else if (std::strcmp(word, "-names") == 0) {
      return std::fputs(starling::info::setting_names().c_str(), stdout) < 0;
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
