// SPDX-License-Identifier: BSD-3-Clause
// What creating communicators needs of the process.
#pragma once

#include <vector>

#include "base/job.h"
#include "comm/group.h"
#include "object/comm.h"

namespace starling::comm {

// The worker of the process, from the first user of the library (MPI_Init or MPI_Session_init) to the last: communicators
// without a parent are made on it. boot/ sets it while no other thread may call MPI, and nothing of it is owned. The numbers
// are values of attributes; universe_size 0 or appnum -1 is not known.
void set_process(Worker* worker, int universe_size, int appnum);
Worker& process_worker();  // throws Error(kErrOther) while there is none

// The members of a group in a form that processes of other jobs understand, and back.
std::vector<ProcessAddress> addresses_of(const Worker& worker, const Group& group);
Ref<Group> admit_group(Worker& worker, const std::vector<ProcessAddress>& members);

using object::make_comm;
using object::next_context;

}  // namespace starling::comm
