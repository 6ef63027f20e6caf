// SPDX-License-Identifier: BSD-3-Clause
// What the tool interface tells about variables and events (MPI 5.0, 15.3): types, areas, enumerations. Nothing here depends on
// the ABI; the entries (abi/entry/tool_*.cc) translate to its constants.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace starling::tool {

// The types that values have: MPI_INT, MPI_COUNT, MPI_UNSIGNED_LONG_LONG, MPI_DOUBLE, MPI_CHAR.
enum class Type : unsigned char { kInt, kCount, kUnsignedLongLong, kDouble, kChar };
constexpr std::size_t bytes_of(Type type) { return type == Type::kInt ? sizeof(int) : type == Type::kChar ? 1 : 8; }

enum class Bind : unsigned char { kNoObject, kComm, kWin };
enum class Verbosity : unsigned char { kUserBasic, kUserDetail, kTunerBasic, kTunerDetail, kMpidevBasic };

// Everything belongs to one area; each area is a category, and all are in the category kAll.
enum class Area : unsigned char {
  kAll,
  kPointToPoint,
  kCollectives,
  kOneSided,
  kProgress,
  kObjects,
  kLibrary,
  kProfile,
  kLauncher,
  kCount_
};
struct AreaText {
  const char* name;
  const char* help;
};
const AreaText& text_of(Area area);

// Immortal; its address is the handle.
struct Enumeration {
  std::string name;
  std::vector<std::pair<int, std::string>> items;
};
const Enumeration& switch_states();   // of settings that are on or off
const Enumeration& library_states();  // not initialized, running, finalized
// The elements of an event.
Enumeration make_enumeration(std::string name, const std::vector<std::string>& items);
// The enumeration behind a user's handle; nullptr: none is there.
const Enumeration* find_enumeration(const void* handle);

}  // namespace starling::tool
