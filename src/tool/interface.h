// SPDX-License-Identifier: BSD-3-Clause
// The life of the tool interface (MPI 5.0, 15.3.4): it may be used before MPI_Init and after MPI_Finalize, by any number of
// tools, each of which initializes and finalizes it.
#pragma once

#include <mutex>

namespace starling::tool {

// Guards everything in tool/. Taken after the worker lock; recursive, because callbacks for events may call the interface.
std::recursive_mutex& mutex();

// All called with the mutex held.
void initialize();
void finalize();             // the last one frees all handles, sessions and registrations
void require_initialized();  // throws Error(kTErrNotInitialized)

}  // namespace starling::tool
