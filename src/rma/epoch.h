// SPDX-License-Identifier: BSD-3-Clause
// What the ways of synchronization share.
#pragma once

#include "rma/win.h"

namespace starling::rma {

// Throws Error(kErrAssert) for an assertion that is none, or not one of those allowed.
void check_assertion(int assertion, int allowed);

// Begins an access epoch. Throws Error(kErrRmaSync) if another one is open that it cannot be combined with.
void begin_epoch(Win& win, Epoch epoch);

}  // namespace starling::rma
