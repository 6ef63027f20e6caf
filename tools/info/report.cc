// SPDX-License-Identifier: BSD-3-Clause
#include "report.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <vector>

#include "base/settings.h"
#include "base/version.h"
#include "functions.gen.h"
#include "tool/categories.h"
#include "tool/event_types.h"
#include "tool/pvars.h"

namespace starling::info {

namespace {

struct BuildFact {
  const char* key;
  const char* value;
};

constexpr BuildFact kBuild[] = {
    {"version", kLibraryVersion},
    {"target", STARLING_BUILD_TARGET},
    {"compiler", STARLING_BUILD_COMPILER},
    {"build type", STARLING_BUILD_TYPE},
    {"sanitizers", STARLING_BUILD_SANITIZE},
    {"default ABI of mpicc", STARLING_DEFAULT_ABI},
};

bool contains(std::string_view text, std::string_view pattern) {
  auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), pattern.begin(), pattern.end(), same) != text.end();
}

bool selected(const SettingRow& row, std::string_view pattern) {
  return contains("MVP_" + std::string(row.name), pattern) || contains(row.aliases, pattern);
}

// All environment variables that set a row, in the order in which they count.
std::vector<std::string> variables(const SettingRow& row) {
  std::vector<std::string> names = {"MVP_" + std::string(row.name), "MV2_" + std::string(row.name)};
  std::string_view rest = row.aliases;
  while (!rest.empty()) {
    std::size_t end = std::min(rest.find(' '), rest.size());
    if (end > 0) names.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return names;
}

const char* scope_name(SettingRow::Scope scope) { return scope == SettingRow::Scope::Library ? "library" : "launcher"; }

std::string settings_text(std::string_view pattern) {
  std::string text;
  for (SettingRow::Scope scope : {SettingRow::Scope::Library, SettingRow::Scope::Launcher}) {
    std::string part;
    for (const SettingRow& row : setting_rows()) {
      if (row.scope != scope || !selected(row, pattern)) continue;
      std::string names;
      for (const std::string& name : variables(row)) names += (names.empty() ? "" : ", ") + name;
      part += "  " + names + "\n      " + std::string(row.type) + ", default " + (row.initial.empty() ? "empty" : row.initial);
      if (row.origin != "default") part += ", now " + row.current + " from " + row.origin;
      part += "\n      " + std::string(row.help) + "\n";
    }
    if (part.empty()) continue;
    text += scope == SettingRow::Scope::Library ? "Settings of the library\n" : "Settings of mpiexec\n";
    text += part;
  }
  return text;
}

unsigned implemented(const Chapter& chapter) {
  return static_cast<unsigned>(std::count_if(chapter.functions, chapter.functions + chapter.count,
                                             [](const FunctionRow& row) { return row.implemented; }));
}

std::string chapters_text() {
  std::string text = "Functions of MPI 5.0 (each by name: mpi_info --functions)\n";
  for (const Chapter& chapter : kChapters) {
    char line[160];
    std::snprintf(line, sizeof line, "  %-60s %3u of %3u\n", chapter.title, implemented(chapter), chapter.count);
    text += line;
  }
  return text;
}

std::string functions_text(std::string_view pattern) {
  std::string text;
  for (const Chapter& chapter : kChapters) {
    std::string part;
    for (unsigned i = 0; i < chapter.count; ++i) {
      const FunctionRow& row = chapter.functions[i];
      if (!contains(row.name, pattern)) continue;
      part += std::string("  ") + row.name + (row.has_large ? "[_c]" : "") + (row.implemented ? "\n" : "   not implemented\n");
    }
    if (!part.empty()) text += std::string(chapter.title) + "\n" + part;
  }
  return text;
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      result += escape;
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string build_json() {
  std::string text;
  for (const BuildFact& fact : kBuild)
    text += (text.empty() ? "" : ",\n") + std::string("    ") + quoted(fact.key) + ": " + quoted(fact.value);
  return "  \"build\": {\n" + text + "\n  }";
}

std::string settings_json(std::string_view pattern) {
  std::string text;
  for (const SettingRow& row : setting_rows()) {
    if (!selected(row, pattern)) continue;
    std::string names;
    for (const std::string& name : variables(row)) names += (names.empty() ? "" : ", ") + quoted(name);
    text += (text.empty() ? "" : ",\n") + std::string("    {\"name\": ") + quoted(row.name) + ", \"scope\": \"" +
            scope_name(row.scope) + "\", \"type\": " + quoted(row.type) + ", \"variables\": [" + names +
            "], \"default\": " + quoted(row.initial) + ", \"current\": " + quoted(row.current) +
            ", \"origin\": " + quoted(row.origin) + ", \"help\": " + quoted(row.help) + "}";
  }
  return "  \"settings\": [\n" + text + "\n  ]";
}

std::string functions_json(std::string_view pattern) {
  std::string text;
  for (const Chapter& chapter : kChapters)
    for (unsigned i = 0; i < chapter.count; ++i) {
      const FunctionRow& row = chapter.functions[i];
      if (!contains(row.name, pattern)) continue;
      text += (text.empty() ? "" : ",\n") + std::string("    {\"name\": ") + quoted(row.name) +
              ", \"chapter\": " + quoted(chapter.title) + ", \"large_count\": " + (row.has_large ? "true" : "false") +
              ", \"implemented\": " + (row.implemented ? "true" : "false") + "}";
    }
  return "  \"functions\": [\n" + text + "\n  ]";
}

}  // namespace

std::string variables_report(std::string_view pattern) {
  constexpr const char* kClasses[] = {"state",        "level",   "size",      "percentage", "highest value",
                                      "lowest value", "counter", "aggregate", "timer",      "generic"};
  constexpr const char* kBound[] = {"", ", of a communicator", ", of a window"};
  std::string text;
  for (const tool::Category& category : tool::categories()) {
    std::string part;
    for (int i : category.pvars) {
      const tool::Pvar& pvar = tool::pvar_at(i);
      if (!contains(pvar.name, pattern)) continue;
      part += "  " + pvar.name + " (" + kClasses[static_cast<std::size_t>(pvar.of_class)] +
              kBound[static_cast<std::size_t>(pvar.bind)] + ")\n      " + pvar.help + "\n";
    }
    for (int i : category.events) {
      const tool::EventType& event = tool::event_type_at(i);
      if (!contains(event.name, pattern)) continue;
      part += std::string("  ") + event.name + " (event)\n      " + event.help + "\n";
    }
    if (!part.empty()) text += std::string(tool::text_of(category.area).help) + "\n" + part;
  }
  return text;
}

std::string text_report(const Selection& selection) {
  std::string text;
  auto add = [&](const std::string& part) { text += (text.empty() || part.empty() ? "" : "\n") + part; };
  if (selection.build) {
    std::string part;
    for (const BuildFact& fact : kBuild)
      if (*fact.value) {
        char line[160];
        std::snprintf(line, sizeof line, "%-22s %s\n", fact.key, fact.value);
        part += line;
      }
    add(part);
  }
  if (selection.settings) add(settings_text(selection.pattern));
  if (selection.functions) add(selection.names_of_functions ? functions_text(selection.pattern) : chapters_text());
  return text;
}

std::string json_report(const Selection& selection) {
  std::string text;
  auto add = [&](const std::string& part) { text += (text.empty() ? "{\n" : ",\n") + part; };
  if (selection.build) add(build_json());
  if (selection.settings) add(settings_json(selection.pattern));
  if (selection.functions) add(functions_json(selection.pattern));
  return text + "\n}\n";
}

std::string setting_names() {
  std::string text;
  for (const SettingRow& row : setting_rows()) text += "MVP_" + std::string(row.name) + "\n";
  return text;
}

}  // namespace starling::info
