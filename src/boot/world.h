// SPDX-License-Identifier: BSD-3-Clause
// Making and closing what MPI_Init and sessions share.
#pragma once

namespace starling::boot {

// One more user of the worker; the first one ever joins the job and makes it. Throws Error(kErrOther).
void acquire(int thread_level);
// One user less; the last one drains what is under way and tells the launcher that this rank may end.
void release();

// MPI_COMM_WORLD and MPI_COMM_SELF.
void open_world();
void close_world();

}  // namespace starling::boot
