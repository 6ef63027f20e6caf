// SPDX-License-Identifier: BSD-3-Clause
// Pipelined: the message travels in pieces, and while a process receives one it passes on the one before. Down a chain every
// link is busy all the time, but the last process waits for p - 1 hops; down a binary tree it waits for log2 p, and inner
// processes send everything twice. Cost for s pieces: (s + h - 1) (alpha + d n / s beta), with h = p - 1, d = 1 for the chain,
// h = log2 p, d = 2 for the tree. Pjesivac-Grbovic et al., "Performance analysis of MPI collective operations", IPDPS 2005.
#include <algorithm>

#include "coll/bcast/bcast.h"
#include "coll/packed.h"
#include "coll/tree.h"

namespace starling::coll {

namespace {

// Number r counts from the root; its children are degree * r + 1, degree * r + 2 ...
Task pipeline(Ctx c, BcastArgs a, int degree) {
  const int relative = (c.rank - a.root + c.size) % c.size;
  const Count total = a.data.bytes(), segment = pipeline_segment(), segments = (total + segment - 1) / segment;
  const std::int64_t first = std::int64_t{degree} * relative + 1, end = std::min<std::int64_t>(first + degree, c.size);
  const int parent = relative == 0 ? kProcNull : ((relative - 1) / degree + a.root) % c.size;
  Packed message(c, a.data, relative == 0);
  Messages batch(c, degree + 1);
  const int delay = relative == 0 ? 0 : 1;  // a piece is passed on one step after it has come
  for (Count step = 0; step < segments + delay; ++step) {
    const Count in = step * segment, out = (step - delay) * segment;
    if (delay > 0 && step < segments) batch.recv(message.part(in, std::min(segment, total - in)), parent);
    for (std::int64_t child = first; out >= 0 && child < end; ++child)
      batch.send(message.part(out, std::min(segment, total - out)), static_cast<int>((child + a.root) % c.size));
    co_await batch.all();
  }
  if (relative != 0) message.unpack();
}

}  // namespace

Task bcast_pipelined_chain(Ctx c, BcastArgs a) { return pipeline(c, a, 1); }
Task bcast_pipelined_tree(Ctx c, BcastArgs a) { return pipeline(c, a, 2); }

Traffic bcast_pipelined_traffic(const Load& load) {
  const Count segments = (load.bytes + pipeline_segment() - 1) / pipeline_segment();
  return {(load.ranks - 1) * segments, (load.ranks - 1) * load.bytes};
}

}  // namespace starling::coll
