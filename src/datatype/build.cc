// SPDX-License-Identifier: BSD-3-Clause
#include "datatype/build.h"

#include <algorithm>

#include "base/error.h"

namespace starling {

DatatypePool& datatype_pool() {
  static DatatypePool pool;
  return pool;
}

void destroy(Datatype& type) {
  if (!type.attributes.empty() && left_to_home(type)) return;
  try {
    type.attributes.clear(type);
  } catch (const Error&) {
    // The last reference was not the user's, so there is no call that could return the error of the delete callback.
  }
  datatype_pool().destroy(&type);
}

namespace datatype {

void Bounds::add(const Datatype& part, Count first, Count last) {
  if (part.size == 0 && !part.marked) return;  // an empty type map
  if (part.size > 0) {
    basic_ = !data_ || basic_ == part.basic ? part.basic : nullptr;
    unit_ = !data_ || unit_ == part.unit ? part.unit : nullptr;
    data_ = true;
    alignment_ = std::max(alignment_, part.alignment);
  }
  if (marked_ && !part.marked) return;
  Count lb = checked_add(first, part.lb);
  Count ub = checked_add(last, checked_add(part.lb, part.extent));
  bool first_that_counts = !any_ || (part.marked && !marked_);
  lb_ = first_that_counts ? lb : std::min(lb_, lb);
  ub_ = first_that_counts ? ub : std::max(ub_, ub);
  any_ = true;
  marked_ = part.marked;
}

void Bounds::add_block(const Datatype& part, Count length, Count at) {
  if (length == 0) return;
  Count span = checked_multiply(length - 1, part.extent);
  add(part, checked_add(at, std::min<Count>(0, span)), checked_add(at, std::max<Count>(0, span)));
}

void Bounds::set(Draft& draft) const {
  draft.lb = lb_;
  draft.ub = ub_;
  draft.marked = marked_;
  draft.alignment = alignment_;
  draft.basic = basic_;
  draft.unit = unit_;
  if (!marked_ && any_) {
    Count extent = checked_add(ub_, -lb_);
    draft.ub = checked_add(lb_, checked_add(extent, alignment_ - 1) / alignment_ * alignment_);
  }
}

void complete(Datatype& type, Draft&& draft, Envelope&& envelope) {
  const Layout& layout = draft.layout;
  type.kind = Kind::kDatatype;
  type.size = layout.bytes();
  type.lb = draft.lb;
  type.extent = checked_add(draft.ub, -draft.lb);
  type.true_lb = layout.low();
  type.true_extent = checked_add(layout.high(), -layout.low());
  type.contiguous = layout.is_run() && type.size == type.extent && type.true_lb == 0;
  type.marked = draft.marked;
  type.alignment = draft.alignment;
  type.basic = draft.basic;
  type.unit = draft.unit;
  type.layout = std::make_shared<const Layout>(std::move(draft.layout));
  type.envelope = std::make_shared<const Envelope>(std::move(envelope));
}

Datatype* make_type(Draft&& draft, Envelope&& envelope) {
  auto type = Ref<Datatype>::adopt(datatype_pool().create());
  complete(*type, std::move(draft), std::move(envelope));
  return type.leak();
}

}  // namespace datatype
}  // namespace starling
