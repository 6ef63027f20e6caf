// SPDX-License-Identifier: BSD-3-Clause
#include "tool/cvars.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/constants.gen.h"
#include "base/error.h"
#include "boot/runtime.h"
#include "tool/registry.h"

namespace starling::tool {

namespace {

constexpr int kTextRoom = 1024;  // characters of a text, with the zero at the end

// Settings that are looked at whenever they matter, and that need not be alike everywhere.
constexpr std::string_view kLocalNames[] = {"SPIN_COUNT",   "SLEEP_AFTER_US", "FINALIZE_PATIENCE",
                                            "HANG_TIMEOUT", "REPORT_LEAKS",   "SHOW_COLL"};
// Settings that have had their effect when a tool can write them.
constexpr std::string_view kConstantNames[] = {
    "USER_CONFIG", "IGNORE_USER_CONFIG", "IGNORE_SYSTEM_CONFIG", "PROFILE", "PROFILE_FILE", "PROFILE_EVENTS", "TOOLS"};

// The area of settings by how their names begin, or end; the first that fits.
struct AreaRule {
  std::string_view begin, end;
  Area area;
};
constexpr AreaRule kAreaRules[] = {
    {"", "_ALGORITHM", Area::kCollectives}, {"COLL_", "", Area::kCollectives},   {"SHOW_COLL", "", Area::kCollectives},
    {"KNOMIAL", "", Area::kCollectives},    {"BARRIER", "", Area::kCollectives}, {"PIPELINE", "", Area::kCollectives},
    {"SMP_", "", Area::kPointToPoint},      {"SPIN", "", Area::kProgress},       {"SLEEP", "", Area::kProgress},
    {"PROFILE", "", Area::kProfile},        {"TOOLS", "", Area::kProfile},       {"", "", Area::kLibrary},
};

Area area_of(SettingRow::Scope scope, std::string_view name) {
  if (scope == SettingRow::Scope::Launcher) return Area::kLauncher;
  return std::find_if(std::begin(kAreaRules), std::end(kAreaRules),
                      [&](const AreaRule& rule) { return name.starts_with(rule.begin) && name.ends_with(rule.end); })
      ->area;
}

template <std::size_t n>
bool among(const std::string_view (&names)[n], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

Scope scope_of(SettingRow::Scope scope, std::string_view name) {
  if (scope == SettingRow::Scope::Launcher || among(kConstantNames, name)) return Scope::kConstant;
  return among(kLocalNames, name) ? Scope::kLocal : Scope::kAllEqual;
}

template <class Field>
constexpr Type kTypeOf = Type::kInt;
template <>
constexpr Type kTypeOf<std::int64_t> = Type::kCount;
template <>
constexpr Type kTypeOf<std::string> = Type::kChar;

template <class Field>
Cvar describe(SettingRow::Scope scope, const char* name, const char* help, void* (*field)(Settings&)) {
  return {std::string("MVP_") + name,
          help,
          kTypeOf<Field>,
          kTypeOf<Field> == Type::kChar ? kTextRoom : 1,
          std::is_same_v<Field, bool> ? &switch_states() : nullptr,
          area_of(scope, name),
          scope_of(scope, name),
          field};
}

Registry<CvarHandle>& handles() {
  static auto& immortal = *new Registry<CvarHandle>;
  return immortal;
}

}  // namespace

const std::vector<Cvar>& cvars() {
  static const auto& all = *new std::vector<Cvar>{
#define SETTING(scope, type, field, initial, name, aliases, help) \
  describe<Settings::type>(SettingRow::Scope::scope, name, help, [](Settings& settings) -> void* { return &settings.field; }),
#include "base/settings.def"
#undef SETTING
  };
  return all;
}

const Cvar& cvar_at(int index) {
  if (index < 0 || index >= static_cast<int>(cvars().size())) fail(kTErrInvalidIndex, "there is no control variable %d", index);
  return cvars()[static_cast<std::size_t>(index)];
}

int find_cvar(std::string_view name) {
  for (std::size_t i = 0; i < cvars().size(); ++i)
    if (cvars()[i].name == name) return static_cast<int>(i);
  fail(kTErrInvalidName, "there is no control variable %.*s", static_cast<int>(name.size()), name.data());
}

CvarHandle& make_handle(const Cvar& cvar) { return handles().add(std::make_unique<CvarHandle>(&cvar)); }
CvarHandle& cvar_handle(const void* handle) {
  return handles().get(handle, kTErrInvalidHandle, "handle of a control variable");
}
void free_handle(CvarHandle& handle) { handles().erase(handle); }
void free_cvar_handles() { handles().clear(); }

void read(const Cvar& cvar, void* buffer) {
  const void* field = cvar.field(writable_settings());
  if (cvar.items) {
    const int value = *static_cast<const bool*>(field);
    std::memcpy(buffer, &value, sizeof value);
  } else if (cvar.type == Type::kChar) {
    const auto& text = *static_cast<const std::string*>(field);
    const std::size_t length = std::min<std::size_t>(text.size(), kTextRoom - 1);
    std::memcpy(buffer, text.data(), length);
    static_cast<char*>(buffer)[length] = '\0';
  } else {
    std::memcpy(buffer, field, bytes_of(cvar.type));
  }
}

void write(const Cvar& cvar, const void* buffer) {
  Worker* worker = runtime().worker;
  if (cvar.scope == Scope::kConstant) fail(kTErrCvarSetNever, "%s cannot be changed", cvar.name.c_str());
  if (cvar.scope == Scope::kAllEqual && worker)
    fail(kTErrCvarSetNotNow, "%s cannot be changed any more: the library has started", cvar.name.c_str());
  void* field = cvar.field(writable_settings());
  if (cvar.items) {
    int value;
    std::memcpy(&value, buffer, sizeof value);
    if (value != 0 && value != 1) fail(kTErrInvalid, "%s is 0 or 1, not %d", cvar.name.c_str(), value);
    *static_cast<bool*>(field) = value != 0;
  } else if (cvar.type == Type::kChar) {
    const auto* text = static_cast<const char*>(buffer);
    *static_cast<std::string*>(field) = std::string(text, strnlen(text, kTextRoom - 1));
  } else {
    std::memcpy(field, buffer, bytes_of(cvar.type));
  }
  if (worker) for_each_worker(*worker, [](Worker& each) { each.read_settings(); });
}

}  // namespace starling::tool
