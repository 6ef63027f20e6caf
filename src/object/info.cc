// SPDX-License-Identifier: BSD-3-Clause
#include "object/info.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>

#include "base/error.h"

namespace starling {

namespace {

constinit InfoPool pool;

// The words of this process's command line; empty if the kernel does not tell.
std::vector<std::string> command_line() {
  std::vector<std::string> words;
  std::FILE* file = std::fopen("/proc/self/cmdline", "re");
  if (!file) return words;
  std::string word;
  for (int c; (c = std::fgetc(file)) != EOF;) {
    if (c != '\0') {
      word += static_cast<char>(c);
    } else {
      words.push_back(std::move(word));
      word.clear();
    }
  }
  std::fclose(file);
  return words;
}

// What does not fit is cut: MPI_INFO_ENV must never be the reason why a program does not start.
void set_cut(Info& info, std::string_view key, std::string_view value) {
  if (!value.empty()) info.set(key, value.substr(0, kMaxInfoVal - 1));
}

void fill_env(Info& info) {
  std::vector<std::string> words = command_line();
  if (!words.empty()) set_cut(info, "command", words[0]);
  std::string arguments;
  for (std::size_t i = 1; i < words.size(); ++i) arguments += (i > 1 ? " " : "") + words[i];
  set_cut(info, "argv", arguments);
  utsname machine{};
  if (uname(&machine) == 0) {
    set_cut(info, "arch", machine.machine);
    set_cut(info, "host", machine.nodename);
  }
  char directory[PATH_MAX];
  if (getcwd(directory, sizeof directory)) set_cut(info, "wdir", directory);
}

// Not in the pool, where leak checkers would not find its strings in use.
Info* make_env() {
  auto* info = new Info;
  info->kind = Kind::kInfo;
  info->code = kCodeInfoEnv;
  fill_env(*info);
  return info;
}

auto position(const Info& info, std::string_view key) {
  return std::find_if(info.entries.begin(), info.entries.end(), [key](const auto& entry) { return entry.first == key; });
}

}  // namespace

InfoPool& info_pool() { return pool; }

void destroy(Info& info) { pool.destroy(&info); }

Info* info_env() {
  static Info* const env = make_env();
  return env;
}

const std::string* Info::find(std::string_view key) const {
  auto entry = position(*this, key);
  return entry == entries.end() ? nullptr : &entry->second;
}

void Info::set(std::string_view key, std::string_view value) {
  if (key.empty() || key.size() >= kMaxInfoKey)
    fail(kErrInfoKey, "the key has %zu characters, but must have 1 to %d", key.size(), kMaxInfoKey - 1);
  if (value.size() >= kMaxInfoVal)
    fail(kErrInfoValue, "the value of key \"%.*s\" has %zu characters, but at most %d are allowed",
         static_cast<int>(key.size()), key.data(), value.size(), kMaxInfoVal - 1);
  for (auto& entry : entries) {
    if (entry.first != key) continue;
    entry.second = value;
    return;
  }
  entries.emplace_back(key, value);
}

void Info::erase(std::string_view key) {
  auto entry = position(*this, key);
  if (entry == entries.end()) fail(kErrInfoNokey, "the info has no key \"%.*s\"", static_cast<int>(key.size()), key.data());
  entries.erase(entry);
}

namespace object {

namespace {

// Kinds with the restrictors that they may have.
struct MemoryKind {
  std::string_view name;
  std::string_view restrictors[3];
};
constexpr MemoryKind kKinds[] = {{"system", {}}, {"mpi", {"alloc_mem", "win_allocate", "win_allocate_shared"}}};

// Cuts the part before the next `mark` off the text.
std::string_view next_part(std::string_view& text, char mark) {
  const std::size_t end = std::min(text.find(mark), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

bool is_supported(std::string_view kind) {
  const std::string_view name = next_part(kind, ':');
  const auto* known = std::find_if(std::begin(kKinds), std::end(kKinds), [&](const MemoryKind& k) { return k.name == name; });
  if (known == std::end(kKinds)) return false;
  while (!kind.empty()) {
    const std::string_view restrictor = next_part(kind, ':');
    if (restrictor.empty() ||
        std::find(std::begin(known->restrictors), std::end(known->restrictors), restrictor) == std::end(known->restrictors))
      return false;
  }
  return true;
}

}  // namespace

std::string supported_memory_kinds(const Info* requested) {
  std::string kinds = kMemoryKinds;
  const std::string* list = requested ? requested->find(kMemoryKindsKey) : nullptr;
  for (std::string_view rest = list ? std::string_view(*list) : ""; !rest.empty();) {
    const std::string_view kind = next_part(rest, ',');
    const bool there = ("," + kinds + ",").find("," + std::string(kind) + ",") != std::string::npos;
    if (!there && is_supported(kind)) kinds += "," + std::string(kind);
  }
  return kinds;
}

Info* copy_info(const Info& from) {
  Info* info = pool.create();
  info->entries = from.entries;
  return info;
}

bool hint_is_true(const Info* info, std::string_view key) {
  const std::string* value = info ? info->find(key) : nullptr;
  return value && *value == "true";
}

}  // namespace object
}  // namespace starling
