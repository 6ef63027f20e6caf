// SPDX-License-Identifier: BSD-3-Clause
// The info functions (MPI 5.0 chapter 10).
#include "base/error.h"
#include "object/entry.gen.h"
#include "object/info.h"

namespace starling::object {

namespace {

Info& changeable(Info& info) {
  if (info.predefined()) fail(kErrInfo, "MPI_INFO_ENV cannot be changed or freed");
  return info;
}

}  // namespace

void info_create(Info*& info) { info = info_pool().create(); }

void info_create_env(int argc, char** argv, Info*& info) {
  auto made = Ref<Info>::adopt(copy_info(*info_env()));
  if (argv && argc > 0 && argv[0]) {
    made->set("command", std::string_view(argv[0]).substr(0, kMaxInfoVal - 1));
    std::string arguments;
    for (int i = 1; i < argc && argv[i]; ++i) arguments.append(i > 1 ? " " : "").append(argv[i]);
    if (!arguments.empty()) made->set("argv", std::string_view(arguments).substr(0, kMaxInfoVal - 1));
  }
  info = made.leak();
}

void info_dup(Info& info, Info*& newinfo) { newinfo = copy_info(info); }

void info_free(Info*& info) {
  release(&changeable(*info));
  info = nullptr;
}

void info_set(Info& info, std::string_view key, std::string_view value) { changeable(info).set(key, value); }

void info_delete(Info& info, std::string_view key) { changeable(info).erase(key); }

void info_get_nkeys(Info& info, int& nkeys) { nkeys = static_cast<int>(info.entries.size()); }

void info_get_nthkey(Info& info, int n, std::string& key) {
  if (n < 0 || static_cast<std::size_t>(n) >= info.entries.size())
    fail(kErrArg, "n is %d, but the info has %zu keys", n, info.entries.size());
  key = info.entries[static_cast<std::size_t>(n)].first;
}

void info_get_string(Info& info, std::string_view key, std::string& value, bool& flag) {
  const std::string* found = info.find(key);
  flag = found;
  if (found) value = *found;
}

void info_get_valuelen(Info& info, std::string_view key, int& valuelen, bool& flag) {
  const std::string* found = info.find(key);
  flag = found;
  if (found) valuelen = static_cast<int>(found->size());
}

}  // namespace starling::object
