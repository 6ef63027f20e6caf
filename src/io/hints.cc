// SPDX-License-Identifier: BSD-3-Clause
#include "io/hints.h"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "base/settings.h"

namespace starling::io {

namespace {

struct NumberHint {
  const char* key;
  Count Hints::*field;
  Count least;
};
constexpr NumberHint kNumbers[] = {
    {"cb_buffer_size", &Hints::cb_buffer_size, 1},         {"cb_nodes", &Hints::cb_nodes, 1},
    {"ind_rd_buffer_size", &Hints::ind_rd_buffer_size, 1}, {"ind_wr_buffer_size", &Hints::ind_wr_buffer_size, 1},
    {"striping_unit", &Hints::striping_unit, 0},
};

struct ChoiceHint {
  const char* key;
  Choice Hints::*field;
};
constexpr ChoiceHint kChoices[] = {
    {"romio_cb_read", &Hints::cb_read},
    {"romio_cb_write", &Hints::cb_write},
    {"romio_ds_read", &Hints::ds_read},
    {"romio_ds_write", &Hints::ds_write},
};
constexpr const char* kChoiceNames[] = {"automatic", "enable", "disable"};

// Kept for those who ask, without effect here.
constexpr const char* kKept[] = {"striping_factor", "start_iodevice", "access_style",     "collective_buffering",
                                 "cb_block_size",   "chunked",        "chunked_item",     "chunked_size",
                                 "file_perm",       "io_node_list",   "nb_proc",          "num_io_nodes",
                                 "cb_config_list",  "filename",       "romio_no_indep_rw"};

void take_number(Hints& hints, const NumberHint& hint, std::string_view text) {
  Count value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc{} && end == text.data() + text.size() && value >= hint.least) hints.*hint.field = value;
}

void take_choice(Hints& hints, const ChoiceHint& hint, std::string_view text) {
  for (int i = 0; i < 3; ++i)
    if (text == kChoiceNames[i]) hints.*hint.field = static_cast<Choice>(i);
}

void take_one(Hints& hints, std::string_view key, std::string_view value) {
  for (const NumberHint& hint : kNumbers)
    if (key == hint.key) take_number(hints, hint, value);
  for (const ChoiceHint& hint : kChoices)
    if (key == hint.key) take_choice(hints, hint, value);
}

}  // namespace

void Hints::take(const Info& info) {
  for (const auto& [key, value] : info.entries) take_one(*this, key, value);
}

void Hints::take_system() {
  const std::string& path = settings().romio_hints;
  if (path.empty()) return;
  std::FILE* file = std::fopen(path.c_str(), "re");
  if (!file) return;
  char line[1024], key[256], value[512];
  while (std::fgets(line, sizeof line, file))
    if (line[0] != '#' && std::sscanf(line, "%255s %511s", key, value) == 2) take_one(*this, key, value);
  std::fclose(file);
}

Ref<Info> Hints::shown(const Info* given) const {
  Ref<Info> info = Ref<Info>::adopt(info_pool().create());
  for (const NumberHint& hint : kNumbers)
    if (this->*hint.field > 0) info->set(hint.key, std::to_string(this->*hint.field));
  for (const ChoiceHint& hint : kChoices) info->set(hint.key, kChoiceNames[static_cast<int>(this->*hint.field)]);
  for (const char* key : kKept)
    if (const std::string* value = given ? given->find(key) : nullptr) info->set(key, *value);
  return info;
}

}  // namespace starling::io
