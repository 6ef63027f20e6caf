// SPDX-License-Identifier: BSD-3-Clause
#include "comm/spawn_info.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>

#include "base/error.h"

namespace starling::comm {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const auto first = std::min(text.find_first_not_of(kBlanks), text.size());
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

void add_file(const std::string& path, InfoEntries& entries) {
  std::ifstream file(path);
  if (!file) fail(kErrNoSuchFile, "the info names a file %s: %s", path.c_str(), std::strerror(errno));
  std::string text;
  for (int number = 1; std::getline(file, text); ++number) {
    const std::string_view line = trimmed(text);
    if (line.empty() || line[0] == '#') continue;
    const auto end = line.find_first_of(kBlanks);
    if (end == line.npos) fail(kErrInfoValue, "%s:%d is no key and value", path.c_str(), number);
    const std::string_view key = line.substr(0, end);
    if (std::none_of(entries.begin(), entries.end(), [key](const auto& entry) { return entry.first == key; }))
      entries.emplace_back(key, trimmed(line.substr(end)));
  }
}

// "a", "a:b", "a:b:step"
struct Triplet {
  int from, to, step;
};

Triplet triplet_of(std::string_view text) {
  int numbers[3] = {0, 0, 1}, n = 0;
  const std::string_view all = text;
  for (; n < 3; ++n) {
    const auto colon = std::min(text.find(':'), text.size());
    const std::string_view word = trimmed(text.substr(0, colon));
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), numbers[n]);
    if (error != std::errc{} || end != word.data() + word.size()) break;
    if (colon == text.size()) return {numbers[0], n == 0 ? numbers[0] : numbers[1], numbers[2]};
    text.remove_prefix(colon + 1);
  }
  fail(kErrInfoValue, "soft = \"%.*s\" is not a:b:step", static_cast<int>(all.size()), all.data());
}

int largest_of(const Triplet& triplet, int most) {
  const long long step = triplet.step, from = triplet.from, to = triplet.to;
  if (step == 0) fail(kErrInfoValue, "soft = \"%d:%d:0\": the step is 0", triplet.from, triplet.to);
  if (to != from && (to < from) != (step < 0)) return 0;
  const long long last = from + (to - from) / step * step;
  const long long lowest = std::min(from, last), highest = std::max(from, last), size = step < 0 ? -step : step;
  if (lowest > most) return 0;
  const long long best = lowest + (std::min<long long>(highest, most) - lowest) / size * size;
  return static_cast<int>(std::max<long long>(best, 0));
}

}  // namespace

InfoEntries spawn_entries(const Info& info) {
  InfoEntries entries = info.entries;
  if (const std::string* file = info.find("file")) add_file(*file, entries);
  return entries;
}

int largest_allowed(std::string_view soft, int most) {
  int best = 0;
  while (!soft.empty()) {
    const auto comma = std::min(soft.find(','), soft.size());
    best = std::max(best, largest_of(triplet_of(soft.substr(0, comma)), most));
    soft.remove_prefix(std::min(comma + 1, soft.size()));
  }
  return best;
}

}  // namespace starling::comm
