// SPDX-License-Identifier: BSD-3-Clause
// Pipelined chain: pieces of the vector travel from the highest rank down, and each process combines a piece with its own while
// the next one arrives. An operation without commutativity ends at rank 0, which sends the result to the root. Cost for s
// pieces: (s + p - 2) (alpha + n / s beta + n / s gamma). Pjesivac-Grbovic et al., IPDPS 2005.
#include <algorithm>

#include "coll/reduce/reduce.h"
#include "coll/tree.h"

namespace starling::coll {

namespace {

Count elements_of_segment(Count element) { return std::max<Count>(1, pipeline_segment() / std::max<Count>(1, element)); }

}  // namespace

Task reduce_pipelined(Ctx c, ReduceArgs a) {
  const bool root = c.rank == a.root;
  const int top = c.may_reorder(*a.op) ? a.root : 0, relative = (c.rank - top + c.size) % c.size;
  const Data mine = data(root ? a.source() : a.send, a.count, *a.type);
  const int left = relative > 0 ? (c.rank - 1 + c.size) % c.size : kProcNull, right = (c.rank + 1) % c.size;
  Scratch first(c), second(c), whole(c);
  const Count segment = std::min(a.count, elements_of_segment(a.type->size));
  Data incoming = first.take(segment, *a.type), outgoing = second.take(segment, *a.type), result;
  if (relative == 0) result = root ? data(a.recv, a.count, *a.type) : whole.take(a.count, *a.type);
  auto piece = [&](const Data& vector, Count at) { return vector.part(at, std::min(segment, a.count - at)); };

  Messages batch(c, 2);
  if (relative + 1 < c.size) {
    batch.recv(incoming.part(0, segment), right);
    co_await batch.all();
  }
  for (Count at = 0; at < a.count; at += segment) {
    const Data own = piece(mine, at);
    if (relative + 1 == c.size) {
      batch.send(own, left);
      if (relative == 0) c.copy(own, piece(result, at));
    } else {
      const Data partial = incoming.part(0, own.count);
      c.combine(*a.op, own, partial, relative == 0 ? piece(result, at) : partial);
      if (at + segment < a.count) batch.recv(outgoing.part(0, std::min(segment, a.count - at - segment)), right);
      if (relative > 0) batch.send(partial, left);
      std::swap(incoming, outgoing);
    }
    co_await batch.all();
  }
  if (top == a.root) co_return;
  if (relative == 0) co_await c.send(result, a.root);
  if (root) co_await c.recv(data(a.recv, a.count, *a.type), top);
}

Traffic reduce_pipelined_traffic(const Load& load) {
  const Count segments = (load.bytes + pipeline_segment() - 1) / pipeline_segment();
  return {(load.ranks - 1) * segments, (load.ranks - 1) * load.bytes};
}

}  // namespace starling::coll
