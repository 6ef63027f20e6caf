// SPDX-License-Identifier: BSD-3-Clause
// The info keys of MPI_Comm_spawn (MPI 5.0, 11.8.4) that are not left to the process manager.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "object/info.h"

namespace starling::comm {

using InfoEntries = std::vector<std::pair<std::string, std::string>>;

// The entries of an info, and of the file that its key `file` names: lines of a key and a value, # before comments. What the
// info says itself comes first. Throws Error(kErrNoSuchFile), and Error(kErrInfoValue) for a line that is no such pair.
InfoEntries spawn_entries(const Info& info);

// The largest number from 1 to `most` of the set that the key `soft` describes: triplets "a", "a:b", "a:b:step", with commas
// between. 0 if there is none. Throws Error(kErrInfoValue).
int largest_allowed(std::string_view soft, int most);

}  // namespace starling::comm
