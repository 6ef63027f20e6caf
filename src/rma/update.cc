// SPDX-License-Identifier: BSD-3-Clause
#include "rma/update.h"

namespace starling::rma {

namespace {

// Pairs with a gap between or behind their parts, packed: through arrays in which they lie as in C.
void apply_spread(const Update& update, const std::byte* in, std::byte* inout, Count bytes) {
  constexpr Count kStage = 4096;
  alignas(kCacheLine) std::byte left[kStage], right[kStage];
  Datatype& unit = update.unit;
  const Count most = kStage / unit.extent;
  for (Count done = 0, units = bytes / unit.size; done < units;) {
    const Count n = std::min(most, units - done), offset = done * unit.size, length = n * unit.size;
    datatype::unpack(left, n, unit, 0, in + offset, length);
    datatype::unpack(right, n, unit, 0, inout + offset, length);
    op::reduce(update.op, left, right, n, unit);
    datatype::pack(right, n, unit, 0, inout + offset, length);
    done += n;
  }
}

}  // namespace

void apply(const Update& update, const std::byte* in, std::byte* inout, Count bytes) {
  const auto length = static_cast<std::size_t>(bytes);
  if (update.compare) {
    if (std::memcmp(inout, update.compare, length) == 0) std::memcpy(inout, in, length);
  } else if (update.op.code == kCodeReplace) {
    std::memcpy(inout, in, length);
  } else if (update.unit.contiguous) {
    op::reduce(update.op, in, inout, bytes / update.unit.size, update.unit);
  } else {
    apply_spread(update, in, inout, bytes);
  }
}

}  // namespace starling::rma
