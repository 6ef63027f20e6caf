// SPDX-License-Identifier: BSD-3-Clause
#include "launch/preloads.h"

#include <unistd.h>

#include <algorithm>

#include "base/error.h"
#include "base/settings.h"

namespace starling::launch {

namespace {

std::string own_library(const std::string& prefix, const char* name) {
  std::string library = prefix + "/" STARLING_LIBDIR "/" + name;
  if (access(library.c_str(), R_OK) != 0) fail(kErrNoSuchFile, "there is no %s", library.c_str());
  return library + ":";
}

}  // namespace

// The profile has the place that MVP_TOOLS gives it, or else the first: it measures the tools too. What links the tools
// together defines nothing of MPI, so its place does not matter.
Preloads wanted_preloads(const std::string& prefix) {
  const std::string& tools = settings().tools;
  const bool wanted = settings().profile || !settings().profile_file.empty();
  Preloads preloads;
  for (std::size_t begin = 0, end; begin < tools.size(); begin = end + 1) {
    end = std::min(tools.find(':', begin), tools.size());
    const std::string tool = tools.substr(begin, end - begin);
    const bool is_profile = tool == "profile";
    preloads.profile |= is_profile;
    if (!tool.empty()) preloads.libraries += is_profile ? own_library(prefix, "libstarling_profile.so") : tool + ":";
  }
  if (!preloads.libraries.empty()) preloads.libraries += own_library(prefix, "libstarling_chain.so");
  if (wanted && !preloads.profile) preloads = {true, own_library(prefix, "libstarling_profile.so") + preloads.libraries};
  return preloads;
}

}  // namespace starling::launch
