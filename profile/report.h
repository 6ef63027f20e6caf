// SPDX-License-Identifier: BSD-3-Clause
// What the user sees of a profile.
#pragma once

#include <string>

#include "profile/analysis.h"

namespace starling::profile {

std::string text_report(const Result& result);
std::string json_report(const Result& result);
std::string html_report(const std::string& json);  // one page that needs nothing else

// Analyses the segment, prints the tables on stderr, and, if there is a prefix, writes PREFIX.json and PREFIX.html. `suffix`:
// ends the prefix, if the job was spawned.
void report(const Segment& segment, const std::string& prefix, const std::string& suffix = "");

}  // namespace starling::profile
