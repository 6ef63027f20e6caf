// SPDX-License-Identifier: BSD-3-Clause
// Packed: the content of a buffer as bytes that can be cut anywhere: the buffer itself if it has no gaps, otherwise a copy.
#pragma once

#include "coll/ctx.h"

namespace starling::coll {

class Packed {
 public:
  // `filled`: the buffer has its content already.
  Packed(const Ctx& c, const Data& buffer, bool filled) : c_(c), buffer_(buffer), copy_(c) {
    if (buffer.type->contiguous) {
      bytes_ = shifted(buffer.address, buffer.type->true_lb);
    } else {
      bytes_ = copy_.take(buffer.bytes());
      if (filled) c.copy(buffer, all());
    }
  }
  Data all() const { return raw(bytes_, buffer_.bytes()); }
  Data part(Count first, Count n) const { return raw(shifted(bytes_, first), n); }
  // Brings what was received into the buffer.
  void unpack() {
    if (copy_.taken()) c_.copy(all(), buffer_);
  }

 private:
  Ctx c_;
  Data buffer_;
  Scratch copy_;
  void* bytes_;
};

}  // namespace starling::coll
