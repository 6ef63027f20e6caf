// SPDX-License-Identifier: BSD-3-Clause
// Files that the operating system's own calls reach.
#pragma once

#include "io/driver.h"

namespace starling::io {

std::unique_ptr<Driver> open_posix(const std::string& path, int amode);
void remove_posix(const std::string& path);

}  // namespace starling::io
