// SPDX-License-Identifier: BSD-3-Clause
#include "profile/report.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace starling::profile {

namespace {

bool write_file(const std::string& path, const std::string& text) {
  FILE* file = std::fopen(path.c_str(), "we");
  bool good = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file && std::fclose(file) != 0) good = false;
  if (!good) std::fprintf(stderr, "starling: cannot write the profile to %s: %s\n", path.c_str(), std::strerror(errno));
  return good;
}

}  // namespace

void report(const Segment& segment, const std::string& prefix, const std::string& suffix) {
  const Result result = analyze(segment);
  if (result.present == 0) {
    std::fputs(
        "starling: no profile: no rank called MPI_Init through the profile library; is the program statically linked, or does "
        "it bring\n"
        "its own MPI_Init?\n",
        stderr);
    return;
  }
  const std::string text = text_report(result);
  std::fwrite(text.data(), 1, text.size(), stderr);
  if (prefix.empty()) return;
  const std::string json = json_report(result), name = prefix + suffix;
  if (write_file(name + ".json", json) && write_file(name + ".html", html_report(json)))
    std::fprintf(stderr, "profile written to %s.html and %s.json\n", name.c_str(), name.c_str());
}

}  // namespace starling::profile
