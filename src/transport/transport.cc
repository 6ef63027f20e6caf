// SPDX-License-Identifier: BSD-3-Clause
#include "transport/transport.h"

#include "base/error.h"

namespace starling {

// Only a worker knows processes of other jobs.
Peer Inbox::admit(const ProcessAddress& address) { fail(kErrIntern, "no place for rank %u of another job", address.rank); }
ProcessAddress Inbox::address(Peer peer) const { fail(kErrIntern, "process %u has no address", peer); }

}  // namespace starling
