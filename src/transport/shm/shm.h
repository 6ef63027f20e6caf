// SPDX-License-Identifier: BSD-3-Clause
// The transport between the ranks of one host: message rings in the job segment, kernel-assisted copies for long messages.
#pragma once

#include <memory>

#include "base/job.h"
#include "transport/transport.h"

namespace starling::transport {

// Reaches the ranks of the job, as peer p is rank p, and those of other jobs on the host that the inbox has admitted. `inbox`
// and the mapping outlive the transport. The doorbell of the inbox moves to its rank's slot. `worker`: the number of this
// worker in its process; it exchanges messages with those of the same number only. Guests are served by worker 0.
std::unique_ptr<Transport> make_shm(Inbox& inbox, const JobMapping& job, int worker = 0);

}  // namespace starling::transport
