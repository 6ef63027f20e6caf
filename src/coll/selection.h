// SPDX-License-Identifier: BSD-3-Clause
// Selection: what users say about the choice of algorithms: a name for a collective (MVP_BCAST_INTRA_ALGORITHM ...), and tables
// of rules of their own (MVP_COLL_TUNING_FILE). Looked at when a communicator makes its plan for a collective.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/settings.h"
#include "coll/algorithm.h"
#include "coll/rules.h"

namespace starling::coll {

// The setting that names the algorithm of an operation.
struct NamingSetting {
  const std::string* value = nullptr;  // nullptr: there is none
  std::string variable;                // MVP_BCAST_INTRA_ALGORITHM
};
NamingSetting naming_setting(Id id, bool inter, bool blocking);

// The name of a collective in settings and tables: "bcast". Id of a name; Id::kCount_ if there is none.
const char* name_of(Id id);
Id id_of(std::string_view name);

// "auto" and its synonyms: the rules choose.
bool is_auto(std::string_view name);
// Without what tells a non-blocking implementation elsewhere: sched_ring, tsp_ring are ring here.
std::string_view without_prefix(std::string_view name);
// The name under which others know one of our algorithms (sched_binomial, osu_knomial ...), or itself: the `i`-th of the names
// to be looked for in a list of algorithms; nullptr: no more.
const char* meaning(std::string_view name, int i);

template <class Args>
const Algorithm<Args>* find(std::span<const Algorithm<Args>> list, std::string_view name) {
  for (const auto& algorithm : list)
    if (name == algorithm.name) return &algorithm;
  return nullptr;
}

// The algorithm of that name, or of one that means it. Throws Error(kErrArg) that lists the valid ones; `origin` says where the
// name stands.
template <class Args>
const Algorithm<Args>& named(std::span<const Algorithm<Args>> list, Id id, std::string_view name, const char* origin) {
  if (const auto* algorithm = find(list, name)) return *algorithm;
  if (const auto* algorithm = find(list, without_prefix(name))) return *algorithm;
  for (int i = 0; const char* other = meaning(name, i); ++i)
    if (const auto* algorithm = find(list, other)) return *algorithm;
  std::string valid = "auto";
  for (const auto& algorithm : list) valid += std::string(", ") + algorithm.name;
  fail(kErrArg, "%s: \"%.*s\" is not an algorithm of %s; valid are %s", origin, static_cast<int>(name.size()), name.data(),
       name_of(id), valid.c_str());
}

// The algorithm that a setting names; nullptr: none does.
template <class Args>
const Algorithm<Args>* named_by_setting(std::span<const Algorithm<Args>> list, Id id, bool inter, bool blocking) {
  const NamingSetting setting = naming_setting(id, inter, blocking);
  if (!setting.value || is_auto(*setting.value)) return nullptr;
  return &named(list, id, *setting.value, setting.variable.c_str());
}

// The rules of MVP_COLL_TUNING_FILE, read on first use; empty without one. Throws Error(kErrFile) that says what is wrong with
// it.
std::span<const Rule> user_rules();
// The rules in the text of such a file; `origin` is named in errors. They live as long as the process.
std::span<const Rule> parse_rules(const std::string& text, const char* origin);

// MVP_COLL_TUNING_SAVE: writes the rule, and what this process has saved before, as such a file. Nothing without the setting; a
// file that cannot be written is told once on stderr.
void save_rule(const Rule& rule);
// The text of the file.
std::string text_of(std::span<const Rule> rules);

}  // namespace starling::coll
