// SPDX-License-Identifier: BSD-3-Clause
// Walking over the memory behind any range of the packed bytes of a buffer: the one loop nest under pack, unpack, copy and
// segments. What happens to the memory is up to the visitor, a class with
//
//   void run(Address at, Count bytes)                                     contiguous memory
//   void strided(Address at, Count count, Count stride, Count bytes)      `count` such runs, `stride` apart
//   bool full() const                                                     true: has had enough, the walk ends early
//
// Visits are in the order of the packed bytes. Costs O(depth + log of list lengths) before the first visit. Addresses are
// integers, because data of MPI_BOTTOM lies at absolute addresses, which no array contains.
#pragma once

#include <algorithm>
#include <cstdint>

#include "datatype/datatype.h"
#include "datatype/layout.h"

namespace starling::datatype {

using Address = std::intptr_t;

template <class Visitor>
void walk_node(const LayoutNode& node, Address at, Visitor& visit) {  // all of it
  switch (node.form) {
    case LayoutNode::Form::kRun:
      visit.run(at, node.bytes);
      return;
    case LayoutNode::Form::kStrided:
      if (node.child->form == LayoutNode::Form::kRun) return visit.strided(at, node.count, node.stride, node.child->bytes);
      for (Count i = 0; i < node.count && !visit.full(); ++i) walk_node(*node.child, at + i * node.stride, visit);
      return;
    case LayoutNode::Form::kRuns:
      for (const LayoutRun& run : node.runs) {
        if (visit.full()) return;
        visit.run(at + run.displacement, run.length);
      }
      return;
    case LayoutNode::Form::kPieces:
      for (const LayoutPiece& piece : node.pieces) {
        if (visit.full()) return;
        walk_node(*piece.node, at + piece.displacement, visit);
      }
      return;
  }
}

template <class Visitor>
void walk_range(const LayoutNode& node, Address at, Count from, Count to, Visitor& visit);

// Bytes [from, to) of as many copies of `child` as that takes, the first at `at`.
template <class Visitor>
void walk_copies(const LayoutNode& child, Count stride, Address at, Count from, Count to, Visitor& visit) {
  if (from == to) return;
  Count first = from / child.bytes;
  Count skipped = from - first * child.bytes;
  at += first * stride;
  to -= first * child.bytes;
  if (skipped != 0 || to < child.bytes) {  // the first copy is cut
    walk_range(child, at, skipped, std::min(to, child.bytes), visit);
    if (to <= child.bytes) return;
    at += stride;
    to -= child.bytes;
  }
  Count whole = to / child.bytes;
  if (child.form == LayoutNode::Form::kRun) {
    if (whole > 0 && !visit.full()) visit.strided(at, whole, stride, child.bytes);
  } else {
    for (Count i = 0; i < whole && !visit.full(); ++i) walk_node(child, at + i * stride, visit);
  }
  Count rest = to - whole * child.bytes;
  if (rest != 0 && !visit.full()) walk_range(child, at + whole * stride, 0, rest, visit);
}

// Bytes [from, to) of a list of runs or pieces: calls part(element, from, to) with the range inside each element.
template <class List, class BytesOf, class Part>
void walk_list(const List& list, Count from, Count to, BytesOf bytes_of, Part part) {
  auto it =
      std::upper_bound(list.begin(), list.end(), from, [](Count value, const auto& element) { return value < element.start; });
  for (--it; it != list.end() && it->start < to; ++it)
    part(*it, std::max<Count>(from - it->start, 0), std::min(to - it->start, bytes_of(*it)));
}

template <class Visitor>
void walk_range(const LayoutNode& node, Address at, Count from, Count to, Visitor& visit) {
  if (from == to) return;
  if (from == 0 && to == node.bytes) return walk_node(node, at, visit);
  switch (node.form) {
    case LayoutNode::Form::kRun:
      visit.run(at + from, to - from);
      return;
    case LayoutNode::Form::kStrided:
      walk_copies(*node.child, node.stride, at, from, to, visit);
      return;
    case LayoutNode::Form::kRuns:
      walk_list(
          node.runs, from, to, [](const LayoutRun& run) { return run.length; },
          [&](const LayoutRun& run, Count begin, Count end) {
            if (!visit.full()) visit.run(at + run.displacement + begin, end - begin);
          });
      return;
    case LayoutNode::Form::kPieces:
      walk_list(
          node.pieces, from, to, [](const LayoutPiece& piece) { return piece.node->bytes; },
          [&](const LayoutPiece& piece, Count begin, Count end) {
            if (!visit.full()) walk_range(*piece.node, at + piece.displacement, begin, end, visit);
          });
      return;
  }
}

// Bytes [offset, offset + length) of the packed representation of elements of `type` at `buffer`.
template <class Visitor>
void walk(const void* buffer, const Datatype& type, Count offset, Count length, Visitor& visit) {
  if (length == 0) return;
  Address at = reinterpret_cast<Address>(buffer) + type.layout->origin();
  const LayoutNode* child = &type.layout->root();
  Count stride = type.extent;
  if (child->form == LayoutNode::Form::kStrided && stride == child->count * child->stride) {  // elements continue the pattern
    stride = child->stride;
    child = child->child.get();
  }
  if (child->form == LayoutNode::Form::kRun && child->bytes == stride) return visit.run(at + offset, length);
  walk_copies(*child, stride, at, offset, offset + length, visit);
}

}  // namespace starling::datatype
