// SPDX-License-Identifier: BSD-3-Clause
#include "base/settings.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>

extern char** environ;

namespace starling {

namespace {

struct Row {
  SettingRow::Scope scope;
  const char* type;
  const char* name;
  const char* aliases;
  const char* help;
};

constexpr Row kRows[] = {
#define SETTING(scope, type, field, initial, name, aliases, help) {SettingRow::Scope::scope, #type, name, aliases, help},
#include "base/settings.def"
#undef SETTING
};
constexpr std::size_t kRowCount = std::size(kRows);

bool parse(std::string_view text, bool& value) {
  for (std::string_view yes : {"1", "true", "yes", "on"})
    if (text == yes) return value = true;
  for (std::string_view no : {"0", "false", "no", "off"})
    if (text == no) return !(value = false);
  return false;
}

bool parse(std::string_view text, std::int64_t& value) {
  std::string copy(text);
  char* end;
  long long number = std::strtoll(copy.c_str(), &end, 10);
  if (end == copy.c_str()) return false;
  int shift = 0;
  switch (std::toupper(static_cast<unsigned char>(*end))) {
    case 'K':
      shift = 10;
      break;
    case 'M':
      shift = 20;
      break;
    case 'G':
      shift = 30;
      break;
  }
  if (shift) ++end;
  if (*end && std::toupper(static_cast<unsigned char>(*end)) == 'B') ++end;
  if (*end) return false;
  value = number << shift;
  return true;
}

bool parse(std::string_view text, int& value) {
  std::int64_t wide;
  if (!parse(text, wide) || wide != static_cast<int>(wide)) return false;
  value = static_cast<int>(wide);
  return true;
}

bool parse(std::string_view text, std::string& value) {
  value = text;
  return true;
}

std::string to_text(bool value) { return value ? "1" : "0"; }
std::string to_text(int value) { return std::to_string(value); }
std::string to_text(std::int64_t value) { return std::to_string(value); }
std::string to_text(const std::string& value) { return value; }

// Calls visit(full variable name) for every name of a row, the most specific first, until it returns true.
template <class F>
void for_each_name(const Row& row, F visit) {
  if (visit(std::string("MVP_") + row.name) || visit(std::string("MV2_") + row.name)) return;
  const char* p = row.aliases;
  while (*p) {
    const char* end = std::strchr(p, ' ');
    std::string name = end ? std::string(p, end) : std::string(p);
    if (visit(name)) return;
    p = end ? end + 1 : p + std::strlen(p);
  }
}

// The place of a full variable name among the names of a row, the most specific first; kNoName: it is none of them. Every
// process asks this for all rows when it starts, so nothing is built for it.
constexpr int kNoName = 1000;
constexpr int place_of(const Row& row, std::string_view variable) {
  const std::string_view prefix = variable.substr(0, 4);
  if ((prefix == "MVP_" || prefix == "MV2_") && variable.substr(4) == row.name) return prefix == "MVP_" ? 0 : 1;
  std::string_view rest = row.aliases;
  for (int place = 2; !rest.empty(); ++place) {
    const std::string_view alias = rest.substr(0, rest.find(' '));
    if (alias == variable) return place;
    rest.remove_prefix(std::min(alias.size() + 1, rest.size()));
  }
  return kNoName;
}

// All names begin with M (or R, as ROMIO's): other variables of the environment need no closer look.
constexpr bool may_begin(char c) { return c == 'M' || c == 'R'; }
constexpr bool names_begin_so() {
  for (const Row& row : kRows) {
    bool begins = true;
    for (const char* p = row.aliases; *p; ++p) {
      if (begins && !may_begin(*p)) return false;
      begins = *p == ' ';
    }
  }
  return true;
}
static_assert(names_begin_so());

struct Loaded {
  Settings values;
  std::string origin[kRowCount];
};

enum class Report { kSilent, kWarn };

void assign(Loaded& loaded, std::size_t row, std::string_view text, const std::string& origin, Report report) {
  bool good = false;
  std::size_t index = 0;
#define SETTING(scope, type, field, initial, name, aliases, help) \
  if (index++ == row) good = parse(text, loaded.values.field);
#include "base/settings.def"
#undef SETTING
  if (good) {
    loaded.origin[row] = origin;
  } else if (report == Report::kWarn) {
    std::fprintf(stderr, "starling: warning: %s: \"%.*s\" is not a value of type %s; the default stays\n", origin.c_str(),
                 static_cast<int>(text.size()), text.data(), kRows[row].type);
  }
}

void read_environment(Loaded& loaded, Report report) {
  struct Variable {
    std::string_view name;
    const char* value;
  };
  std::vector<Variable> variables;
  for (char** entry = environ; entry && *entry; ++entry)
    if (const char* equals = may_begin(**entry) ? std::strchr(*entry, '=') : nullptr)
      variables.push_back({{*entry, static_cast<std::size_t>(equals - *entry)}, equals + 1});
  for (std::size_t row = 0; row < kRowCount; ++row) {
    int best = kNoName;
    const Variable* chosen = nullptr;
    for (const Variable& variable : variables)
      if (const int place = place_of(kRows[row], variable.name); place < best) best = place, chosen = &variable;
    if (chosen) assign(loaded, row, chosen->value, std::string(chosen->name), report);
  }
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
  return text;
}

void read_file(Loaded& loaded, std::string path) {
  if (path.rfind("~/", 0) == 0) {
    const char* home = std::getenv("HOME");
    path = std::string(home ? home : "") + path.substr(1);
  }
  std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "re"), std::fclose);
  if (!file) return;
  char line[1024];
  while (std::fgets(line, sizeof line, file.get())) {
    std::string_view text = trim(line);
    auto equals = text.find('=');
    if (text.empty() || text.front() == '#' || equals == text.npos) continue;
    std::string_view name = trim(text.substr(0, equals)), value = trim(text.substr(equals + 1));
    for (std::size_t row = 0; row < kRowCount; ++row)
      if (place_of(kRows[row], name) != kNoName) assign(loaded, row, value, path, Report::kWarn);
  }
}

Loaded& loaded() {
  static Loaded* const instance = [] {
    auto* l = new Loaded;                   // lives as long as the process: settings are read in destructors too
    read_environment(*l, Report::kSilent);  // it says which files to read
    if (!l->values.ignore_system_config) read_file(*l, "/etc/mvapich2.conf");
    if (!l->values.ignore_user_config) read_file(*l, l->values.user_config);
    read_environment(*l, Report::kWarn);  // again, because the environment wins
    return l;
  }();
  return *instance;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t substitute = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

// Variables that mpiexec gives to the ranks; they start with MVP_ but are no settings.
constexpr std::string_view kExported[] = {"MVP_COMM_WORLD_RANK", "MVP_COMM_WORLD_SIZE", "MVP_COMM_WORLD_LOCAL_RANK",
                                          "MVP_COMM_WORLD_LOCAL_SIZE"};

}  // namespace

const Settings& settings() { return loaded().values; }
Settings& writable_settings() { return loaded().values; }

std::vector<SettingRow> setting_rows() {
  const Settings defaults;
  std::vector<SettingRow> rows;
  std::size_t index = 0;
#define SETTING(scope_, type_, field, initial_, name_, aliases_, help_)                                             \
  rows.push_back({SettingRow::Scope::scope_, #type_, name_, aliases_, help_, to_text(defaults.field),               \
                  to_text(settings().field), loaded().origin[index].empty() ? "default" : loaded().origin[index]}); \
  ++index;
#include "base/settings.def"
#undef SETTING
  return rows;
}

std::vector<std::string> unknown_settings() {
  std::vector<std::string> messages;
  for (char** entry = environ; *entry; ++entry) {
    std::string_view variable(*entry);
    variable = variable.substr(0, variable.find('='));
    if (variable.rfind("MVP_", 0) != 0 ||
        std::find(std::begin(kExported), std::end(kExported), variable) != std::end(kExported))
      continue;
    std::string nearest;
    std::size_t best = variable.size();
    for (const Row& row : kRows)
      for_each_name(row, [&](const std::string& name) {
        std::size_t distance = edit_distance(variable, name);
        if (distance < best) best = distance, nearest = name;
        return false;
      });
    if (best == 0) continue;
    std::string message = std::string(variable) + " is not a setting";
    if (best <= 4) message += "; did you mean " + nearest + "?";
    messages.push_back(std::move(message));
  }
  return messages;
}

const char* launcher_variable(const char* name) { return std::getenv(name); }

}  // namespace starling
