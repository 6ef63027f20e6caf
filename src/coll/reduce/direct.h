// SPDX-License-Identifier: BSD-3-Clause
// What the direct reductions share: the first processes, as many as there are cores, combine one part of the vectors each,
// which they read from the memory of the others. More parts would not be done sooner, but each reading is a system call of a
// microsecond.
#pragma once

#include <algorithm>

#include "coll/args.h"
#include "coll/board.h"

namespace starling::coll {

// Of the vectors; part i is combined by process i. Only predefined types, so elements have no gaps between them.
inline Partition parts_of(const Ctx& c, const ReduceArgs& a) {
  const Comm& comm = *c.comm;
  // As the leader has it, so that all have the same.
  const int ranks_per_core = static_cast<int>(comm.worker->job.slot(comm.peer(0)).ranks_per_core);
  return {a.count, std::max(c.size / std::max(ranks_per_core, 1), 1)};
}

// Combines elements first ... first + count - 1 of all vectors that the members have published, in the order of ranks, into
// `sum`, which may be where they are in this process's own vector. Piece by piece, so that what comes from elsewhere is still
// in the cache when it is used.
inline void combine_range(const Ctx& c, const Step& vectors, const Op& op, const Datatype& type, Count first, Count count,
                          void* sum) {
  constexpr Count kPieceBytes = 32 << 10;
  const Count size = type.size, most = std::min(std::max<Count>(kPieceBytes / size, 1), count);
  Scratch left_room(c, most * size), sum_room(c, most * size);
  for (Count done = 0; done < count; done += most) {
    const Count n = std::min(most, count - done), offset = (first + done) * size;
    void* right = vectors.look(c, c.size - 1, offset, raw(sum_room.bytes(), n * size));
    for (int from = c.size - 2; from >= 0; --from) {
      void* left = vectors.look(c, from, offset, raw(left_room.bytes(), n * size));
      void* out = from == 0 ? shifted(sum, done * size) : sum_room.bytes();  // only now is our own vector not needed any more
      c.combine(op, data(left, n, type), data(right, n, type), data(out, n, type));
      right = out;
    }
  }
}
inline void combine_part(const Ctx& c, const Step& vectors, const ReduceArgs& a, const Partition& parts, int part, void* sum) {
  combine_range(c, vectors, *a.op, *a.type, parts.first(part), parts.length(part), sum);
}

}  // namespace starling::coll
