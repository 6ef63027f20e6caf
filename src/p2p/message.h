// SPDX-License-Identifier: BSD-3-Clause
// Message: one that MPI_Mprobe has taken out of the queue (MPI 5.0 section 3.8.2), for MPI_Mrecv to receive.
#pragma once

#include <cstdint>

#include "object/comm.h"
#include "object/object.h"

namespace starling {

namespace p2p {
struct Unexpected;
}

// Owned by the user's handle until it is received. The message is taken over from the matcher.
struct Message : Object {
  Ref<Comm> comm;
  p2p::Unexpected* content = nullptr;  // nullptr: MPI_MESSAGE_NO_PROC
};

namespace p2p {

Message* find_message(const void* handle);  // the live message behind a user's handle, or nullptr
Message* message_at(std::uint32_t index);
Message* message_no_proc();   // MPI_MESSAGE_NO_PROC
std::size_t live_messages();  // for the leak report

}  // namespace p2p
}  // namespace starling
