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
inline Count my_part(const Ctx& c, const Partition& parts) { return c.rank < parts.parts ? parts.length(c.rank) : 0; }
inline Data part_at(void* memory, const ReduceArgs& a, Count elements) { return data(memory, elements, *a.type); }

// sum = the combination of this process's part of all vectors that the members have published, in the order of ranks. Piece by
// piece, so that what is read is still in the cache when it is combined.
inline void combine_part(const Ctx& c, const Step& vectors, const ReduceArgs& a, void* sum, void* piece_memory,
                         Count piece_elements) {
  const Partition parts = parts_of(c, a);
  const Count size = a.type->size, mine = my_part(c, parts);
  for (Count done = 0; done < mine; done += piece_elements) {
    const Count n = std::min(piece_elements, mine - done), offset = (parts.first(c.rank) + done) * size;
    const Data to = part_at(shifted(sum, done * size), a, n);
    void* right = vectors.look(c, c.size - 1, offset, raw(to.address, n * size));
    for (int from = c.size - 2; from >= 0; --from) {
      void* left = vectors.look(c, from, offset, raw(piece_memory, n * size));
      c.combine(*a.op, part_at(left, a, n), part_at(right, a, n), to);
      right = to.address;
    }
  }
}
// Reads the sums that the processes have published, into the result.
inline void collect_parts(const Ctx& c, const Step& sums, const ReduceArgs& a) {
  const Partition parts = parts_of(c, a);
  for (int from = 0; from < parts.parts; ++from)
    sums.fetch(c, from, 0, raw(shifted(a.recv, parts.first(from) * a.type->size), parts.length(from) * a.type->size));
}

// The vectors are published at `vectors`; `sum`, of the size of this process's part, becomes its combination.
inline Task combine_vectors(Ctx c, ReduceArgs a, Step* vectors, void* sum) {
  constexpr Count kPiece = 32 << 10;  // bytes
  const Count piece = std::max<Count>(kPiece / a.type->size, 1);
  Scratch room(c, piece * a.type->size);
  co_await vectors->opened();
  vectors->publish(c, a.source());
  if (vectors->arrive()) vectors->release();
  co_await vectors->released();
  combine_part(c, *vectors, a, sum, room.bytes(), piece);
}

}  // namespace starling::coll
