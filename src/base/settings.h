// SPDX-License-Identifier: BSD-3-Clause
// Settings: what a user can change without recompiling. Declared in settings.def, one line each; nothing else reads the
// environment.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace starling {

struct Settings {
  using Bool = bool;
  using Int = int;
  using Bytes = std::int64_t;
  using Text = std::string;
#define SETTING(scope, type, field, initial, name, aliases, help) type field = initial;
#include "base/settings.def"
#undef SETTING
};

// The settings of this process: defaults, then the system's and the user's file, then the environment, read on first use.
// Thread-safe. A value that cannot be read (text for a number ...) is reported on stderr once and the default stays.
const Settings& settings();

// The same to be written: for the tool interface (src/tool), whose callers see to it that nobody reads at the same time.
Settings& writable_settings();

// One row of the table, as text, for mpi_info, MVP_SHOW_ENV_INFO and the documentation.
struct SettingRow {
  enum class Scope { Library, Launcher };
  Scope scope;
  std::string_view type;     // Bool, Int, Bytes, Text
  std::string_view name;     // without prefix: MVP_<name>, MV2_<name>
  std::string_view aliases;  // blank-separated full variable names
  std::string_view help;
  std::string initial;  // default
  std::string current;
  std::string origin;  // "default", or the variable or file that set it
};
std::vector<SettingRow> setting_rows();

// Variables of the environment that start with MVP_ but are no setting, each with the nearest real name: "MVP_SMP_EAGERSIZ is
// not a setting; did you mean MVP_SMP_EAGERSIZE?". MV2_ variables are not reported: scripts carry many that have no meaning
// here.
std::vector<std::string> unknown_settings();

// The value of an environment variable that is not a setting but given by a launcher (PMI_RANK, STARLING_JOB ...); nullptr if
// unset.
const char* launcher_variable(const char* name);

}  // namespace starling
