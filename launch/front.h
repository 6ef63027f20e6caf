// SPDX-License-Identifier: BSD-3-Clause
// The front: what the user's shell sees as mpiexec. It starts the agent, passes signals on to it, and returns its exit code.
#pragma once

#include "launch/plan.h"

namespace starling::launch {

int run_job(const Plan& plan);

}  // namespace starling::launch
