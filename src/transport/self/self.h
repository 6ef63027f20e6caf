// SPDX-License-Identifier: BSD-3-Clause
// The transport of a process to itself: a queue of copied messages, and plain memory copies for long ones.
#pragma once

#include <memory>

#include "transport/transport.h"

namespace starling::transport {

// Reaches the peer `inbox.self()` only. `inbox` outlives the transport.
std::unique_ptr<Transport> make_self(Inbox& inbox);

}  // namespace starling::transport
