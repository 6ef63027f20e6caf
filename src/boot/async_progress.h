// SPDX-License-Identifier: BSD-3-Clause
// The thread that makes progress by itself (MVP_ASYNC_PROGRESS): starting it, and where it runs.
#pragma once

#include "boot/runtime.h"

namespace starling::boot {

// Starts the helper of the worker, unless it runs. Throws Error(kErrArg) for a setting that makes no sense.
void start_async_progress(const Runtime& r);

}  // namespace starling::boot
