// SPDX-License-Identifier: BSD-3-Clause
// mpiexec, mpirun and mpirun_rsh (doc/launcher.md).
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "launch/front.h"
#include "launch/info.h"
#include "launch/options.h"
#include "launch/plan.h"

namespace {

using namespace starling::launch;

// Descriptors 0, 1 and 2 must be taken, or a file of ours would become somebody's standard output.
void fill_standard_descriptors() {
  int fd;
  do fd = open("/dev/null", O_RDWR);
  while (fd >= 0 && fd <= 2);
  if (fd > 2) close(fd);
}

// TotalView starts the launcher itself and finds the ranks in its table of processes (launch/debugger.h).
int run_totalview(const char* called_as, const std::vector<std::string>& words) {
  std::vector<char*> argv = {const_cast<char*>("totalview"), const_cast<char*>(called_as), const_cast<char*>("-a")};
  // The first one is ours: the program may have a -tv of its own.
  const auto ours = std::find_if(words.begin(), words.end(), [](const std::string& w) { return w == "-tv" || w == "--tv"; });
  for (auto word = words.begin(); word != words.end(); ++word)
    if (word != ours) argv.push_back(const_cast<char*>(word->c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  starling::fail(starling::kErrNoSuchFile, "cannot start totalview: %s", std::strerror(errno));
}

int launch(const char* called_as, const std::vector<std::string>& words) {
  Options options = parse_command_line(called_as, words);
  switch (options.action) {
    case Options::Action::kHelp:
      return std::fputs(help_text(options.called_as).c_str(), stdout) < 0;
    case Options::Action::kVersion:
      return std::fputs(version_text(options.called_as).c_str(), stdout) < 0;
    case Options::Action::kInfo:
      return std::fputs(info_text(options.called_as).c_str(), stdout) < 0;
    case Options::Action::kRun:
      break;
  }
  if (options.totalview) return run_totalview(called_as, words);
  if (options.singleton_fd >= 0) return run_job(singleton_plan(std::move(options)));
  Plan plan = make_plan(std::move(options));
  if (plan.options.show_only) return std::fputs(show_text(plan).c_str(), stdout) < 0;
  return run_job(plan);
}

}  // namespace

int main(int argc, char** argv) {
  fill_standard_descriptors();
  try {
    return launch(argv[0], std::vector<std::string>(argv + 1, argv + argc));
  } catch (const starling::Error& error) {
    std::fprintf(stderr, "mpiexec: %s\n", error.message.c_str());
    return error.error_class == starling::kErrNoSuchFile ? 127 : 2;
  }
}
