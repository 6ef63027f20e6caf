// SPDX-License-Identifier: BSD-3-Clause
// What the generated entries cannot check because it depends on several arguments. All throw Error.
#pragma once

#include "base/error.h"
#include "datatype/op.h"
#include "object/comm.h"

namespace starling::coll {

inline void check_intra(const Comm& comm) {
  if (comm.inter) [[unlikely]]
    fail(kErrComm, "the operation is not defined on intercommunicators");
}

inline void check_root(const Comm& comm, int root) {
  if (root >= 0 && root < comm.remote_size) [[likely]]
    return;
  if (comm.inter && (root == kRoot || root == kProcNull)) return;
  fail(kErrRoot, "root = %d is not a rank of the %sgroup of %d processes", root, comm.inter ? "remote " : "", comm.remote_size);
}

inline void check_op(const Op& op, const Datatype& type) {
  if (!op::allowed(op, type)) [[unlikely]]
    fail(kErrOp, "the operation is not defined on the datatype");
}

// A buffer is MPI_IN_PLACE; `here` tells whether this process may pass it.
inline void check_in_place(const Comm& comm, bool here) {
  if (comm.inter) [[unlikely]]
    fail(kErrBuffer, "MPI_IN_PLACE on an intercommunicator");
  if (!here) [[unlikely]]
    fail(kErrBuffer, "MPI_IN_PLACE where it is not allowed");
}

// Buffers that must not be the same. MPI_BOTTOM says nothing about where the data is.
inline void check_distinct(const void* send, const void* recv, Count bytes) {
  if (send == recv && send && bytes > 0) [[unlikely]]
    fail(kErrBuffer, "send and receive buffer are the same; use MPI_IN_PLACE");
}

}  // namespace starling::coll
