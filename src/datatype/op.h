// SPDX-License-Identifier: BSD-3-Clause
// Op: a reduction operation (MPI 5.0 section 6.9).
#pragma once

#include "base/types.h"
#include "object/callback.h"
#include "object/object.h"
#include "object/pool.h"

namespace starling {

struct Datatype;

// Immutable once constructed.
struct Op : Object {
  bool commutative = true;
  Callback user;  // empty for a predefined operation
};

using OpPool = Pool<Op, Kind::kOp>;
OpPool& op_pool();  // of those made by users
void destroy(Op& op);
// Predefined operation by its standard handle code (kCodeSum ...), nullptr if there is none. Thread-safe.
Op* predefined_op(unsigned code);

namespace op {

// inout[i] = in[i] op inout[i] for count elements. Both buffers have the given layout; they do not overlap.
// Predefined operations work on predefined types and on types derived from one of them (MPI_Accumulate); a user's function gets
// the type as it is. Throws Error(kErrOp) when a predefined operation is not defined on the data.
void reduce(const Op& op, const void* in, void* inout, Count count, Datatype& type);
// The same with a place of its own for the result, which saves a copy: out[i] = left[i] op right[i]. `out` may be one of the
// operands. A user's function knows no such form: what it needs is copied, and it uses up `right` where `out` is `left`.
void combine(const Op& op, const void* left, const void* right, void* out, Count count, Datatype& type);

// Whether `op` may be used in a reduction of `type` (MPI 5.0 table 6.1); user operations always may. MPI_REPLACE and MPI_NO_OP
// may not: they are for one-sided communication only.
bool allowed(const Op& op, const Datatype& type);
// Whether reduce() knows how to combine data of `type`: allowed on the predefined type that all its data is made of, or one of
// MPI_REPLACE and MPI_NO_OP. What MPI_Accumulate may use, user operations apart.
bool accumulable(const Op& op, const Datatype& type);

}  // namespace op
}  // namespace starling
