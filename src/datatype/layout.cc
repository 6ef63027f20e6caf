// SPDX-License-Identifier: BSD-3-Clause
#include "datatype/layout.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace starling {

namespace {

using Form = LayoutNode::Form;

const NodePtr& empty_node() {
  static const NodePtr node = std::make_shared<LayoutNode>();
  return node;
}

Count saturated_runs(Count a, Count b) {
  Count product;
  return __builtin_mul_overflow(a, b, &product) ? kManyRuns : std::min(product, kManyRuns);
}

NodePtr run_node(Count bytes) {
  auto node = std::make_shared<LayoutNode>();
  node->bytes = node->high = bytes;
  return node;
}

// count > 1 copies of a node with data, merged with it where that gives a simpler one.
NodePtr strided_node(const NodePtr& child, Count count, Count stride) {
  if (child->form == Form::kRun && stride == child->bytes) return run_node(checked_multiply(count, stride));
  if (child->form == Form::kStrided && stride == checked_multiply(child->count, child->stride))
    return strided_node(child->child, checked_multiply(count, child->count), child->stride);
  auto node = std::make_shared<LayoutNode>();
  node->form = Form::kStrided;
  node->bytes = checked_multiply(count, child->bytes);
  node->run_count = saturated_runs(count, child->run_count);
  Count last = checked_multiply(count - 1, stride);
  node->low = checked_add(std::min<Count>(0, last), child->low);
  node->high = checked_add(std::max<Count>(0, last), child->high);
  node->count = count;
  node->stride = stride;
  node->child = child;
  return node;
}

// Appends a run to a list, merged with the last one where they touch.
void append_run(std::vector<LayoutRun>& runs, Count displacement, Count length) {
  if (length == 0) return;
  if (!runs.empty()) {
    LayoutRun& last = runs.back();
    if (last.displacement + last.length == displacement) {
      last.length += length;
      return;
    }
  }
  runs.push_back({displacement, length, runs.empty() ? 0 : checked_add(runs.back().start, runs.back().length)});
}

// Runs at regular distances are one strided node.
Layout layout_of_runs(std::vector<LayoutRun>&& runs) {
  if (runs.empty()) return Layout();
  Count origin = runs[0].displacement;
  bool regular = true;
  Count stride = runs.size() > 1 ? runs[1].displacement - origin : 0;
  for (std::size_t i = 0; i < runs.size() && regular; ++i)
    regular = runs[i].length == runs[0].length && runs[i].displacement == origin + static_cast<Count>(i) * stride;
  if (regular) {
    NodePtr one = run_node(runs[0].length);
    return Layout(origin, runs.size() == 1 ? one : strided_node(one, static_cast<Count>(runs.size()), stride));
  }
  auto node = std::make_shared<LayoutNode>();
  node->form = Form::kRuns;
  node->run_count = static_cast<Count>(runs.size());
  for (LayoutRun& run : runs) {
    run.displacement -= origin;
    node->low = std::min(node->low, run.displacement);
    node->high = std::max(node->high, run.displacement + run.length);
  }
  node->bytes = checked_add(runs.back().start, runs.back().length);
  runs.shrink_to_fit();
  node->runs = std::move(runs);
  return Layout(origin, std::move(node));
}

bool is_list_of_runs(const LayoutNode& node) { return node.form == Form::kRun || node.form == Form::kRuns; }

void append_runs(std::vector<LayoutRun>& runs, const LayoutNode& node, Count displacement) {
  if (node.form == Form::kRun) {
    append_run(runs, displacement, node.bytes);
  } else {
    for (const LayoutRun& run : node.runs) append_run(runs, displacement + run.displacement, run.length);
  }
}

// Parts with data, displacements being those of their origins: equal nodes at regular distances are one strided node.
Layout layout_of_pieces(std::vector<LayoutPiece>&& pieces) {
  Count origin = pieces[0].displacement;
  bool regular = true;
  Count stride = pieces.size() > 1 ? pieces[1].displacement - origin : 0;
  for (std::size_t i = 0; i < pieces.size() && regular; ++i)
    regular = pieces[i].node == pieces[0].node && pieces[i].displacement == origin + static_cast<Count>(i) * stride;
  if (pieces.size() == 1) return Layout(origin, pieces[0].node);
  if (regular) return Layout(origin, strided_node(pieces[0].node, static_cast<Count>(pieces.size()), stride));
  auto node = std::make_shared<LayoutNode>();
  node->form = Form::kPieces;
  node->run_count = 0;
  for (LayoutPiece& piece : pieces) {
    piece.displacement -= origin;
    piece.start = node->bytes;
    node->bytes = checked_add(node->bytes, piece.node->bytes);
    node->run_count = std::min(node->run_count + piece.node->run_count, kManyRuns);
    node->low = std::min(node->low, piece.displacement + piece.node->low);
    node->high = std::max(node->high, piece.displacement + piece.node->high);
  }
  pieces.shrink_to_fit();
  node->pieces = std::move(pieces);
  return Layout(origin, std::move(node));
}

// Lists of few runs are merged into one list, unless that would make something much longer than what was given.
bool worth_flattening(const std::vector<LayoutPiece>& pieces) {
  constexpr Count kAlwaysFlat = 64;
  Count runs = 0;
  for (const LayoutPiece& piece : pieces) {
    if (!is_list_of_runs(*piece.node)) return false;
    runs += piece.node->run_count;
  }
  return runs <= std::max<Count>(kAlwaysFlat, 2 * static_cast<Count>(pieces.size()));
}

}  // namespace

Layout::Layout(Count origin, NodePtr root) : origin_(origin), root_(root ? std::move(root) : empty_node()) {}

Layout Layout::run(Count bytes) { return bytes == 0 ? Layout() : Layout(0, run_node(bytes)); }

Layout Layout::strided(const Layout& child, Count count, Count stride) {
  if (count == 0 || child.bytes() == 0) return Layout();
  if (count == 1) return child;
  return Layout(child.origin_, strided_node(child.root_, count, stride));
}

Layout Layout::sequence(const std::vector<Placed>& parts) {
  std::vector<LayoutPiece> pieces;
  pieces.reserve(parts.size());
  for (const Placed& part : parts)
    if (part.layout.bytes()) pieces.push_back({checked_add(part.displacement, part.layout.origin_), 0, part.layout.root_});
  if (pieces.empty()) return Layout();
  if (!worth_flattening(pieces)) return layout_of_pieces(std::move(pieces));
  std::vector<LayoutRun> runs;
  for (const LayoutPiece& piece : pieces) append_runs(runs, *piece.node, piece.displacement);
  return layout_of_runs(std::move(runs));
}

Layout Layout::indexed(const Layout& child, Count extent, const Blocks& blocks) {
  if (child.bytes() == 0) return Layout();
  auto length_of = [&](Count i) { return blocks.lengths ? blocks.lengths[i] : blocks.length; };
  auto place_of = [&](Count i) { return checked_multiply(blocks.displacements[i], blocks.unit); };
  if (child.is_run() && child.bytes() == extent) {  // every block is a run
    std::vector<LayoutRun> runs;
    runs.reserve(static_cast<std::size_t>(blocks.count));
    for (Count i = 0; i < blocks.count; ++i)
      append_run(runs, checked_add(place_of(i), child.origin_), checked_multiply(length_of(i), extent));
    return layout_of_runs(std::move(runs));
  }
  std::vector<Placed> parts;
  parts.reserve(static_cast<std::size_t>(blocks.count));
  Count shared_length = -1;  // consecutive blocks of one length share their node
  Layout shared;
  for (Count i = 0; i < blocks.count; ++i) {
    if (length_of(i) != shared_length) {
      shared_length = length_of(i);
      shared = strided(child, shared_length, extent);
    }
    parts.push_back({place_of(i), shared});
  }
  return sequence(parts);
}

Count checked_add(Count a, Count b) {
  Count sum;
  if (__builtin_add_overflow(a, b, &sum)) fail(kErrValueTooLarge, "the datatype would be larger than 2^63 bytes");
  return sum;
}

Count checked_multiply(Count a, Count b) {
  Count product;
  if (__builtin_mul_overflow(a, b, &product)) fail(kErrValueTooLarge, "the datatype would be larger than 2^63 bytes");
  return product;
}

}  // namespace starling
