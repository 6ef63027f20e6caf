// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace starling::boot {

// MVP_DEBUG_SHOW_BACKTRACE: prints a backtrace to stderr when the process gets SIGSEGV, SIGBUS, SIGILL, SIGFPE or SIGABRT, then
// lets the signal have its usual effect. A handler that the program installed itself is left alone.
void install_backtrace(int rank);

}  // namespace starling::boot
