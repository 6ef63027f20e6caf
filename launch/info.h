// SPDX-License-Identifier: BSD-3-Clause
// What the launcher tells about itself.
#pragma once

#include <string>

namespace starling::launch {

std::string version_text(const std::string& called_as);
std::string info_text(const std::string& called_as);

}  // namespace starling::launch
