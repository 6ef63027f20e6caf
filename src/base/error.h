// SPDX-License-Identifier: BSD-3-Clause
// How the core reports that a call cannot be done.
#pragma once

#include <string>

#include "base/constants.gen.h"

namespace starling {

// Thrown by the core, caught once, in the generated entry of the MPI function (DESIGN D12), which hands it to the
// error handler of the communicator, window, file or session of the call. `message` is one sentence without the
// function's name and without the rank: the entry adds both.
struct Error {
  int error_class;  // MPI_ERR_* in the numbering of the standard ABI
  std::string message;
};

// Throws Error with a printf-style message. Never returns.
[[noreturn, gnu::cold, gnu::format(printf, 2, 3)]] void fail(int error_class, const char* format, ...);

}  // namespace starling
