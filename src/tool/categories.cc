// SPDX-License-Identifier: BSD-3-Clause
#include "tool/categories.h"

#include "base/constants.gen.h"
#include "base/error.h"
#include "tool/cvars.h"
#include "tool/event_types.h"
#include "tool/pvars.h"

namespace starling::tool {

namespace {

template <class Things>
std::vector<int> in_area(const Things& things, Area area) {
  std::vector<int> indices;
  for (std::size_t i = 0; i < things.size(); ++i)
    if (things[i].area == area) indices.push_back(static_cast<int>(i));
  return indices;
}

std::vector<Category> make_categories() {
  std::vector<Category> all;
  for (int i = 0; i < static_cast<int>(Area::kCount_); ++i) {
    const auto area = static_cast<Area>(i);
    all.push_back({area, in_area(cvars(), area), in_area(pvars(), area), in_area(event_types(), area), {}});
    if (area != Area::kAll) all.front().categories.push_back(i);
  }
  return all;
}

}  // namespace

const std::vector<Category>& categories() {
  static const auto& all = *new std::vector<Category>(make_categories());
  return all;
}

const Category& category_at(int index) {
  if (index < 0 || index >= static_cast<int>(categories().size())) fail(kTErrInvalidIndex, "there is no category %d", index);
  return categories()[static_cast<std::size_t>(index)];
}

int find_category(std::string_view name) {
  for (std::size_t i = 0; i < categories().size(); ++i)
    if (text_of(categories()[i].area).name == name) return static_cast<int>(i);
  fail(kTErrInvalidName, "there is no category %.*s", static_cast<int>(name.size()), name.data());
}

}  // namespace starling::tool
