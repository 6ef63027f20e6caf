// SPDX-License-Identifier: BSD-3-Clause
// Layout: where the data of one element of a datatype lies, in canonical form (DESIGN D8).
//
// A layout is a tree with four forms of nodes. Whatever way a type was constructed, equal data in equal order tends to become
// the same short tree, so that few kernels (datatype/walk.h) move all data:
//
//   run      `bytes` contiguous bytes
//   strided  `count` equal children, `stride` bytes apart       vector, contiguous with gaps, one dimension of a subarray
//   runs     a list of runs anywhere                            indexed, struct
//   pieces   a list of nodes anywhere                           struct with vectors, indexed over a type with gaps
//
// The order of the nodes is the order of the type map: the packed representation is the data of the tree from left to right.
// Byte i of it is found by one division per strided level and one binary search per list. Immutable, shared between types,
// thread-safe.
#pragma once

#include <memory>
#include <vector>

#include "base/types.h"

namespace starling {

struct LayoutNode;
using NodePtr = std::shared_ptr<const LayoutNode>;

// Displacements are in bytes from the origin of the node that holds the list; `start` is the position in its packed bytes.
struct LayoutRun {
  Count displacement;
  Count length;
  Count start;
};
struct LayoutPiece {
  Count displacement;
  Count start;
  NodePtr node;
};

struct LayoutNode {
  enum class Form : std::uint8_t { kRun, kStrided, kRuns, kPieces };
  Form form = Form::kRun;
  Count bytes = 0;          // of data, > 0 except for the node of an empty type
  Count run_count = 1;      // contiguous runs below this node; at most kManyRuns
  Count low = 0, high = 0;  // the data lies in [low, high); the first byte of the first run is the origin, 0
  // kStrided
  Count count = 1;
  Count stride = 0;
  NodePtr child;
  // kRuns, kPieces
  std::vector<LayoutRun> runs;
  std::vector<LayoutPiece> pieces;
};
inline constexpr Count kManyRuns = Count{1} << 60;

// A tree and where its origin is, relative to the address of the element.
class Layout {
 public:
  Layout() : Layout(0, nullptr) {}
  Layout(Count origin, NodePtr root);  // nullptr: no data

  // A run of `bytes` bytes at displacement 0.
  static Layout run(Count bytes);
  // `count` copies, `stride` bytes apart (any sign).
  static Layout strided(const Layout& child, Count count, Count stride);
  // Layouts one after the other, each moved by its displacement.
  struct Placed;
  static Layout sequence(const std::vector<Placed>& parts);
  // Blocks of elements of `child`, which are `extent` bytes apart: block i has lengths[i] elements (`length` if there is no
  // array) and starts at displacements[i] * unit bytes.
  struct Blocks {
    Count count;
    CountArray lengths;
    Count length;
    CountArray displacements;
    Count unit;
  };
  static Layout indexed(const Layout& child, Count extent, const Blocks& blocks);
  // The same data, moved.
  Layout moved(Count displacement) const { return Layout(origin_ + displacement, root_); }

  Count origin() const { return origin_; }
  const LayoutNode& root() const { return *root_; }
  const NodePtr& root_pointer() const { return root_; }
  Count bytes() const { return root_->bytes; }
  bool is_run() const { return root_->form == LayoutNode::Form::kRun; }
  // All data lies in [low, high) from the address of the element; both 0 if there is none.
  Count low() const { return bytes() ? origin_ + root_->low : 0; }
  Count high() const { return bytes() ? origin_ + root_->high : 0; }

 private:
  Count origin_;
  NodePtr root_;  // never null
};

struct Layout::Placed {
  Count displacement;
  Layout layout;
};

// a + b and a * b, or Error(kErrValueTooLarge) where 64 bits do not hold the result: a type that no memory could hold.
Count checked_add(Count a, Count b);
Count checked_multiply(Count a, Count b);

}  // namespace starling
