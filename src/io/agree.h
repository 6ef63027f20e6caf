// SPDX-License-Identifier: BSD-3-Clause
// How the processes of a collective call come to the same end, although what it does may fail at any of them.
#pragma once

#include <cstdint>

#include "base/error.h"
#include "object/comm.h"

namespace starling::io {

// Collective: returns when all processes have called it. Throws the error of the lowest rank that has one, at all of them; or
// else Error(kErrNotSame), if they call with different values of `argument`.
void agree(Comm& comm, const Error& mine, std::uint64_t value = 0, const char* argument = "");

// Runs `step` here and then agrees on how it went.
template <class Step>
void agreed(Comm& comm, Step&& step, std::uint64_t value = 0, const char* argument = "") {
  Error error{kSuccess, {}};
  try {
    step();
  } catch (const Error& met) {
    error = met;
  }
  agree(comm, error, value, argument);
}

// The same for a step that rank 0 does for all.
template <class Step>
void agreed_at_root(Comm& comm, Step&& step) {
  agreed(comm, [&] {
    if (comm.rank == 0) step();
  });
}

}  // namespace starling::io
