// SPDX-License-Identifier: BSD-3-Clause
// The threads of this process that call MPI at MPI_THREAD_MULTIPLE, and the processors that there are for them. Safe with
// threads.
#pragma once

namespace starling {

// How many processors this process may use without taking those of other ranks; until it is said, enough for all threads.
void set_processors(int processors);

// Whether there are more threads than that: one that polls for long then keeps a processor from another that has something to
// do.
bool threads_are_crowded();

}  // namespace starling
