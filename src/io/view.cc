// SPDX-License-Identifier: BSD-3-Clause
#include "io/view.h"

#include <cstdint>
#include <utility>

#include "datatype/layout.h"

namespace starling::io {

namespace {

// An ordered node begins at `low` and ends at `high`.
bool ordered(const LayoutNode& node) {
  switch (node.form) {
    case LayoutNode::Form::kRun:
      return true;
    case LayoutNode::Form::kStrided:
      return ordered(*node.child) && (node.count < 2 || node.stride >= node.child->high - node.child->low);
    case LayoutNode::Form::kRuns: {
      Count end = node.low;
      for (const LayoutRun& run : node.runs) {
        if (run.displacement < end) return false;
        end = run.displacement + run.length;
      }
      return true;
    }
    case LayoutNode::Form::kPieces: {
      Count end = node.low;
      for (const LayoutPiece& piece : node.pieces) {
        if (!ordered(*piece.node) || piece.displacement + piece.node->low < end) return false;
        end = piece.displacement + piece.node->high;
      }
      return true;
    }
  }
  return false;
}

}  // namespace

bool ordered(const Datatype& type) { return type.size == 0 || ordered(type.layout->root()); }

FileView::FileView() : tile_(predefined_datatype(kCodeByte)) {}

FileView::FileView(Count displacement, Ref<Datatype> tile, Count etype_bytes)
    : displacement_(displacement), tile_(std::move(tile)), etype_bytes_(etype_bytes) {
  ordered_ = io::ordered(*tile_) && tile_->true_extent <= tile_->extent;
}

Count FileView::piece_bytes() const { return contiguous() ? INT64_MAX : tile_->size / tile_->layout->root().run_count; }

Count FileView::offset(Count position) const {
  Count result = displacement_;
  for_each_piece(position, 1, [&result](Count offset, Count) {
    result = offset;
    return false;
  });
  return result;
}

// Offsets grow with positions: a binary search, within the tile.
Count FileView::positions_before(Count offset) const {
  const Count into = offset - displacement_ - tile_->true_lb;
  if (into <= 0 || empty()) return 0;
  if (contiguous()) return into;
  const Count tile = into / tile_->extent;
  Count low = tile * tile_->size, high = low + tile_->size;  // the answer lies in [low, high]
  while (low < high) {
    const Count middle = low + (high - low) / 2;
    if (this->offset(middle) < offset) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace starling::io
