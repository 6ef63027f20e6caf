// SPDX-License-Identifier: BSD-3-Clause
// Session: a handle on the library of its own (MPI 5.0 section 11.3). Made and destroyed in boot/.
#pragma once

#include <cstdint>
#include <string>

#include "object/errhandler.h"
#include "object/info.h"
#include "object/object.h"

namespace starling {

struct BsendBuffer;  // p2p/buffered.h

struct Session : Object {
  Ref<Errhandler> errhandler;
  Ref<Info> info;
  int thread_level = 0;
  std::string memory_kinds;  // mpi_memory_alloc_kinds: what is supported of what was asked for
  Held<BsendBuffer> bsend{nullptr, nullptr};
};

void destroy(Session& session);
Session* find_session(const void* handle);  // the live session behind a user's handle, or nullptr
Session* session_at(std::uint32_t index);

}  // namespace starling
