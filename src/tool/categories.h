// SPDX-License-Identifier: BSD-3-Clause
// Categories (MPI 5.0, 15.3.9): one for each area, and one above them all. They never change.
#pragma once

#include <vector>

#include "tool/describe.h"

namespace starling::tool {

struct Category {
  Area area;
  std::vector<int> cvars, pvars, events, categories;  // indices; of what is in an area, not in those below it
};

const std::vector<Category>& categories();  // in the order of Area
const Category& category_at(int index);     // throws Error(kTErrInvalidIndex)
int find_category(std::string_view name);   // throws Error(kTErrInvalidName)

}  // namespace starling::tool
