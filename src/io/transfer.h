// SPDX-License-Identifier: BSD-3-Clause
// Moving the bytes of an access by this process alone.
#pragma once

#include "io/access.h"

namespace starling::io {

// Sets `moved`. Throws Error.
void transfer(Access& access);

}  // namespace starling::io
