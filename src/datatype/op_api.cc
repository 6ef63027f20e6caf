// SPDX-License-Identifier: BSD-3-Clause
// Reduction operations of the user, and MPI_Reduce_local (MPI 5.0 sections 6.9.5 to 6.9.7).
#include "base/error.h"
#include "datatype/datatype.h"
#include "datatype/entry.gen.h"
#include "datatype/op.h"

namespace starling::op {

void op_create(Callback user_fn, bool commute, Op*& op) {
  op = op_pool().create();
  op->user = user_fn;
  op->commutative = commute;
}

void op_free(Op*& op) {
  if (op->predefined()) fail(kErrOp, "a predefined operation cannot be freed");
  release(op);
  op = nullptr;
}

void op_commutative(Op& op, bool& commute) { commute = op.commutative; }

void reduce_local(const void* inbuf, void* inoutbuf, Count count, Datatype& type, Op& op) {
  if (inbuf == inoutbuf && inbuf && count * type.size > 0) fail(kErrBuffer, "both buffers are the same");
  reduce(op, inbuf, inoutbuf, count, type);
}

}  // namespace starling::op
