// SPDX-License-Identifier: BSD-3-Clause
// What the constructors of datatypes share: bounds of a type map (MPI 5.0 section 5.1.6) and the last step.
#pragma once

#include <utility>

#include "datatype/datatype.h"
#include "datatype/envelope.h"
#include "datatype/layout.h"

namespace starling::datatype {

// All that makes up a new type.
struct Draft {
  Layout layout;
  Count lb = 0, ub = 0;
  bool marked = false;
  Count alignment = 1;
  const Datatype* basic = nullptr;
  const Datatype* unit = nullptr;
};

// Gathers lower and upper bound, alignment and common basic type of a type map, part by part. If a part has bounds set by the
// user, only such parts count; else the extent is rounded up to the strictest alignment of the parts, as in a C struct.
class Bounds {
 public:
  // Elements of `part`, the leftmost at displacement `first`, the rightmost at `last`.
  void add(const Datatype& part, Count first, Count last);
  // `length` elements of `part` from displacement `at` on.
  void add_block(const Datatype& part, Count length, Count at);
  void set(Draft& draft) const;

 private:
  bool any_ = false;
  bool marked_ = false;
  Count lb_ = 0, ub_ = 0;
  Count alignment_ = 1;
  bool data_ = false;
  const Datatype* basic_ = nullptr;
  const Datatype* unit_ = nullptr;
};

// Fills in a fresh type: everything but name, code and `permanent`.
void complete(Datatype& type, Draft&& draft, Envelope&& envelope);
// A new type of the user's, who owns the reference. Throws Error(kErrValueTooLarge) if it is not representable.
Datatype* make_type(Draft&& draft, Envelope&& envelope);

}  // namespace starling::datatype
