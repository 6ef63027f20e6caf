// SPDX-License-Identifier: BSD-3-Clause
// Control variables (MPI 5.0, 15.3.6): every setting of base/settings.def is one, under the name of its environment variable.
#pragma once

#include <string>
#include <vector>

#include "base/settings.h"
#include "tool/describe.h"

namespace starling::tool {

// When a value may be written, and by whom.
enum class Scope : unsigned char {
  kConstant,  // never: the launcher has acted on it, or the start of this process
  kLocal,     // at any time, by each process as it likes
  kAllEqual,  // before the library starts, alike in all processes
};

struct Cvar {
  std::string name;  // MVP_...
  const char* help;
  Type type;
  int count;  // elements: of a text the room
  const Enumeration* items;
  Area area;
  Scope scope;
  void* (*field)(Settings&);  // bool, int, std::int64_t or std::string, by `type` and `items`
};

struct CvarHandle {
  const Cvar* cvar;
};

// In the order of settings.def; immortal.
const std::vector<Cvar>& cvars();
const Cvar& cvar_at(int index);        // throws Error(kTErrInvalidIndex)
int find_cvar(std::string_view name);  // throws Error(kTErrInvalidName)
CvarHandle& make_handle(const Cvar& cvar);
CvarHandle& cvar_handle(const void* handle);  // throws Error(kTErrInvalidHandle)
void free_handle(CvarHandle& handle);
void free_cvar_handles();

void read(const Cvar& cvar, void* buffer);
// Throws Error(kTErrCvarSetNever), Error(kTErrCvarSetNotNow) or, for a value that is none, Error(kTErrInvalid).
void write(const Cvar& cvar, const void* buffer);

}  // namespace starling::tool
