// SPDX-License-Identifier: BSD-3-Clause
// The libraries that stand between a program and the MPI library: the profile (doc/profile.md) and tools (doc/tool.md).
#pragma once

#include <string>

namespace starling::launch {

struct Preloads {
  bool profile = false;   // the profile is among them
  std::string libraries;  // for LD_PRELOAD, in the order of the calls, a : behind each
};

// What MVP_PROFILE, MVP_PROFILE_FILE and MVP_TOOLS ask for; our own libraries are below `prefix`. Throws Error if one of those
// is missing.
Preloads wanted_preloads(const std::string& prefix);

}  // namespace starling::launch
