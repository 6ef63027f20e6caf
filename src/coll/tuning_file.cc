// SPDX-License-Identifier: BSD-3-Clause
// Tables of rules in JSON. The only file that knows the format; nothing here runs unless MVP_COLL_TUNING_FILE is set.
#define JSON_NO_IO
#include <cstdio>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/error.h"
#include "coll/selection.h"

namespace starling::coll {

namespace {

using Json = nlohmann::json;

// What rules refer to; they live as long as the process.
struct Table {
  std::deque<std::string> names;
  std::vector<Rule> rules;
};

[[noreturn]] void wrong(const char* origin, std::size_t rule, const std::string& what) {
  fail(kErrFile, "%s: rule %zu: %s", origin, rule + 1, what.c_str());
}

Cores cores_of(const std::string& text, const char* origin, std::size_t number) {
  if (text == "any") return Cores::kAny;
  if (text == "own") return Cores::kOwn;
  if (text == "shared") return Cores::kShared;
  wrong(origin, number, "cores is \"" + text + "\", not any, own or shared");
}

// The keys of a rule are the members of Rule; what is left out does not restrict.
Rule rule_of(const Json& json, Table& table, const char* origin, std::size_t number) {
  Rule rule{Id::kCount_, nullptr, 0, kAnyBytes, 1, kAnyRanks};
  for (const auto& [key, value] : json.items()) {
    if (key == "collective") {
      rule.id = id_of(value.get_ref<const std::string&>());
      if (rule.id == Id::kCount_) wrong(origin, number, value.dump() + " is not a collective");
    } else if (key == "algorithm") {
      rule.algorithm = table.names.emplace_back(value.get<std::string>()).c_str();
    } else if (key == "min_bytes") {
      rule.min_bytes = value.get<Count>();
    } else if (key == "max_bytes") {
      rule.max_bytes = value.get<Count>();
    } else if (key == "min_ranks") {
      rule.min_ranks = value.get<int>();
    } else if (key == "max_ranks") {
      rule.max_ranks = value.get<int>();
    } else if (key == "min_nodes") {
      rule.min_nodes = value.get<int>();
    } else if (key == "max_nodes") {
      rule.max_nodes = value.get<int>();
    } else if (key == "cores") {
      rule.cores = cores_of(value.get_ref<const std::string&>(), origin, number);
    } else if (key != "comment") {
      wrong(origin, number, "\"" + key + "\" is not a key of a rule");
    }
  }
  if (rule.id == Id::kCount_ || !rule.algorithm) wrong(origin, number, "has no collective or no algorithm");
  return rule;
}

}  // namespace

std::span<const Rule> parse_rules(const std::string& text, const char* origin) {
  auto table = std::make_unique<Table>();
  try {
    const Json rules = Json::parse(text).at("rules");
    for (std::size_t i = 0; i < rules.size(); ++i) table->rules.push_back(rule_of(rules[i], *table, origin, i));
  } catch (const Json::exception& error) {
    fail(kErrFile, "%s: %s", origin, error.what());
  }
  static auto& kept = *new std::vector<std::unique_ptr<Table>>;
  return kept.emplace_back(std::move(table))->rules;
}

std::span<const Rule> user_rules() {
  static const std::span<const Rule> rules = []() -> std::span<const Rule> {
    const std::string& path = settings().coll_tuning_file;
    if (path.empty()) return {};
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "re"), std::fclose);
    if (!file) fail(kErrFile, "MVP_COLL_TUNING_FILE: %s cannot be read", path.c_str());
    std::string text;
    char part[4096];
    while (const std::size_t n = std::fread(part, 1, sizeof part, file.get())) text.append(part, n);
    return parse_rules(text, path.c_str());
  }();
  return rules;
}

std::string text_of(std::span<const Rule> rules) {
  Json list = Json::array();
  for (const Rule& rule : rules) {
    Json& json = list.emplace_back(Json::object());
    json["collective"] = name_of(rule.id);
    json["algorithm"] = rule.algorithm;
    json["min_bytes"] = rule.min_bytes;
    if (rule.max_bytes != kAnyBytes) json["max_bytes"] = rule.max_bytes;
    json["min_ranks"] = rule.min_ranks;
    if (rule.max_ranks != kAnyRanks) json["max_ranks"] = rule.max_ranks;
    json["min_nodes"] = rule.min_nodes;
    if (rule.max_nodes != kAnyRanks) json["max_nodes"] = rule.max_nodes;
    json["cores"] = rule.cores == Cores::kAny ? "any" : rule.cores == Cores::kOwn ? "own" : "shared";
  }
  return Json{{"comment", "found by trying on a running job (MVP_COLL_DYNAMIC_TUNING)"}, {"rules", list}}.dump(1) + "\n";
}

void save_rule(const Rule& rule) {
  static std::vector<Rule> saved;  // worker lock
  const std::string& path = settings().coll_tuning_save;
  if (path.empty()) return;
  std::erase_if(saved, [&rule](const Rule& other) {
    return other.id == rule.id && other.min_bytes == rule.min_bytes && other.min_ranks == rule.min_ranks &&
           other.min_nodes == rule.min_nodes;
  });
  saved.push_back(rule);
  const std::string text = text_of(saved);
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "we"), std::fclose);
  static bool told = false;
  if ((!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) && !std::exchange(told, true))
    std::fprintf(stderr, "starling: warning: MVP_COLL_TUNING_SAVE: %s cannot be written\n", path.c_str());
}

}  // namespace starling::coll
