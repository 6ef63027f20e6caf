// SPDX-License-Identifier: BSD-3-Clause
#include "launch/environment.h"

#include <algorithm>

namespace starling::launch {

namespace {

using Inherit = EnvironmentRules::Inherit;

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_name(const std::string& entry, std::string_view name) {
  return entry.size() > name.size() && entry[name.size()] == '=' && entry.compare(0, name.size(), name) == 0;
}

}  // namespace

Environment::Environment(char* const* inherited, const EnvironmentRules& global, const EnvironmentRules& program) {
  // What a program says about inheriting replaces what was said for all.
  const EnvironmentRules& rules = program.inherit != Inherit::kUnsaid ? program : global;
  for (; *inherited; ++inherited) {
    std::string_view entry(*inherited);
    std::string_view name = entry.substr(0, entry.find('='));
    if (rules.inherit == Inherit::kNone || is_place_variable(name)) continue;
    if (rules.inherit == Inherit::kList && !contains(rules.inherited, name)) continue;
    if (!contains(global.excluded, name)) entries_.emplace_back(entry);
  }
  for (const auto& [name, value] : global.assigned) set(name, value);
  for (const auto& [name, value] : program.assigned) set(name, value);
}

void Environment::set(std::string_view name, std::string_view value) {
  std::string entry = std::string(name) + "=" + std::string(value);
  auto old = std::find_if(entries_.begin(), entries_.end(), [&](const std::string& known) { return has_name(known, name); });
  if (old != entries_.end())
    *old = std::move(entry);
  else
    entries_.push_back(std::move(entry));
}

std::string_view Environment::get(std::string_view name) const {
  for (const std::string& entry : entries_)
    if (has_name(entry, name)) return std::string_view(entry).substr(name.size() + 1);
  return {};
}

std::vector<std::string> place_variables(const RankPlace& place) {
  const std::string rank = std::to_string(place.rank), ranks = std::to_string(place.ranks);
  std::vector<std::string> variables = {
      "STARLING_JOB=" + place.job_path,
      "PMI_RANK=" + rank,
      "PMI_SIZE=" + ranks,
      "PMI_FD=" + std::to_string(place.pmi_fd),
      "PMI_ID=" + rank,
      "PMI_APPNUM=" + std::to_string(place.program),
      "PMI_UNIVERSE_SIZE=" + std::to_string(place.universe_size),
      "MPI_LOCALRANKID=" + rank,
      "MPI_LOCALNRANKS=" + ranks,
  };
  if (place.spawned) variables.push_back("PMI_SPAWNED=1");
  if (!place.profile_path.empty()) variables.push_back("STARLING_PROFILE=" + place.profile_path);
  for (const char* prefix : {"MVP", "MV2"})  // one host: the local rank is the rank
    for (const char* scope : {"", "LOCAL_"}) {
      variables.push_back(std::string(prefix) + "_COMM_WORLD_" + scope + "RANK=" + rank);
      variables.push_back(std::string(prefix) + "_COMM_WORLD_" + scope + "SIZE=" + ranks);
    }
  return variables;
}

bool is_place_variable(std::string_view name) {
  if (name.substr(0, 4) == "PMI_" || name.substr(0, 5) == "PMIX_") return name != "PMI_VERSION";  // a wish, not a place
  if (name == "STARLING_JOB" || name == "STARLING_PROFILE" || name == "MPI_LOCALRANKID" || name == "MPI_LOCALNRANKS")
    return true;
  return name.substr(0, 15) == "MVP_COMM_WORLD_" || name.substr(0, 15) == "MV2_COMM_WORLD_";
}

}  // namespace starling::launch
