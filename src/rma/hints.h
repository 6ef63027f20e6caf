// SPDX-License-Identifier: BSD-3-Clause
// The hints of a window (MPI 5.0 section 12.2.1 and following).
#pragma once

#include "rma/win.h"

namespace starling::rma {

// The hints that this library knows, with the user's values or else the defaults.
Ref<Info> make_hints(const Info* info, int flavor);

}  // namespace starling::rma
