// SPDX-License-Identifier: BSD-3-Clause
// The parts of mpi_info's report. Each exists twice: as text for people and as JSON for programs.
#pragma once

#include <string>
#include <string_view>

namespace starling::info {

// What to report; `pattern` keeps the settings and functions whose name contains it (case does not matter).
struct Selection {
  bool build = true;
  bool settings = true;
  bool functions = true;
  bool names_of_functions = false;  // text: list each function instead of one line a chapter
  std::string_view pattern;
};

std::string text_report(const Selection& selection);
std::string json_report(const Selection& selection);

// The performance variables whose name contains the pattern, and events, by area.
std::string variables_report(std::string_view pattern);

// Names of the environment variables of all settings, one a line, for shell completion.
std::string setting_names();

}  // namespace starling::info
