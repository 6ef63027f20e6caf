// SPDX-License-Identifier: BSD-3-Clause
// Update: what an accumulate does to the target's data, whatever way it takes there.
#pragma once

#include <sys/uio.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "datatype/datatype.h"
#include "datatype/op.h"

namespace starling::rma {

// target = in op target, element by element; or, where `compare` is given, target = in if it equals *compare
// (MPI_Compare_and_swap: one element).
struct Update {
  const Op& op;
  Datatype& unit;  // the predefined type that all the data is made of
  const std::byte* compare = nullptr;
};

// Pieces of target memory, in the order of their packed bytes.
using Runs = std::span<const iovec>;

// How much of an operation is done at a time.
struct Limits {
  Count bytes;       // packed
  std::size_t runs;  // at most kMostRuns
};
inline constexpr std::size_t kMostRuns = 256;
inline constexpr Count kPieceBytes = 16384;  // what the functions below put on the stack

// Cuts the first `total` packed bytes of the data at `address` into pieces of whole units and calls visit(Runs, offset, bytes)
// for each, where [offset, offset + bytes) is its range of the packed data.
template <class Visit>
void for_pieces(std::uintptr_t address, Count count, const Datatype& type, Count total, Count unit, Limits limits,
                Visit&& visit) {
  const void* buffer = reinterpret_cast<const void*>(address);
  const Count most = std::max(limits.bytes / unit, Count{1}) * unit;
  iovec runs[kMostRuns];
  Count covered = 0;
  for (Count offset = 0; offset < total; offset += covered) {
    std::size_t n = datatype::segments(buffer, count, type, offset, std::min(most, total - offset), runs, limits.runs, covered);
    if (Count rest = covered % unit; rest != 0)  // the runs ended inside a unit
      n = datatype::segments(buffer, count, type, offset, covered - rest, runs, limits.runs, covered);
    visit(Runs(runs, n), offset, covered);
  }
}

// The packed bytes [offset, offset + bytes) of an origin buffer: where they are, if it is contiguous, else packed into `room`.
inline const std::byte* packed_part(const void* buffer, Count count, const Datatype& type, Count offset, Count bytes,
                                    std::byte* room) {
  if (type.contiguous) return datatype::data_of(buffer, type) + offset;
  datatype::pack(buffer, count, type, offset, room, bytes);
  return room;
}

// Applies the update to packed bytes.
void apply(const Update& update, const std::byte* in, std::byte* inout, Count bytes);

// Memory of this process.
struct LocalMemory {
  void read(Runs runs, std::byte* to) const {
    for (const iovec& run : runs) {
      std::memcpy(to, run.iov_base, run.iov_len);
      to += run.iov_len;
    }
  }
  void write(Runs runs, const std::byte* from) const {
    for (const iovec& run : runs) {
      std::memcpy(run.iov_base, from, run.iov_len);
      from += run.iov_len;
    }
  }
};

// Reads, changes and writes one piece, at most kPieceBytes. The caller excludes others. `old`: place for the former contents,
// or nullptr.
template <class Memory>
void modify(const Memory& memory, Runs runs, const Update& update, const std::byte* in, std::byte* old, Count bytes) {
  alignas(kCacheLine) std::byte data[kPieceBytes];
  memory.read(runs, data);
  if (old) std::memcpy(old, data, static_cast<std::size_t>(bytes));
  if (update.op.code == kCodeNoOp && !update.compare) return;
  apply(update, in, data, bytes);
  memory.write(runs, data);
}

}  // namespace starling::rma
