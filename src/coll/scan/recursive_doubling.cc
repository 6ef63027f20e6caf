// SPDX-License-Identifier: BSD-3-Clause
// Recursive doubling: as in the allreduce, pairs, pairs of pairs ... exchange what their group has, in the order of ranks; what
// comes from below also goes into the result. Cost: ceil(log2 p) (alpha + n beta + 2 n gamma).
#include "coll/accumulator.h"
#include "coll/scan/scan.h"

namespace starling::coll {

namespace {

// `prefix` grows to the combination of all lower ranks: with this process from the beginning, or (`any` is false) without it.
Task scan(Ctx c, ReduceArgs a, Data mine, Data prefix, bool any) {
  Accumulator group(c, mine.address, nullptr, a.count, *a.type, *a.op);
  for (int distance = 1; distance < c.size; distance *= 2) {
    const int partner = c.rank ^ distance;
    if (partner >= c.size) continue;
    co_await c.sendrecv(group.current(), partner, group.incoming(), partner);
    const bool lower = partner < c.rank;
    if (lower && any) {
      c.reduce(*a.op, group.incoming(), prefix);
    } else if (lower) {
      c.copy(group.incoming(), prefix);
      any = true;
    }
    group.absorb(lower);
  }
}

}  // namespace

Task scan_recursive_doubling(Ctx c, ReduceArgs a) {
  const Data result = data(a.recv, a.count, *a.type);
  Scratch memory(c);
  Data mine = data(a.send, a.count, *a.type);
  if (a.in_place()) {
    mine = memory.take(a.count, *a.type);
    c.copy(result, mine);
  } else {
    c.copy(mine, result);
  }
  co_await scan(c, a, mine, result, true);
}

Task exscan_recursive_doubling(Ctx c, ReduceArgs a) {
  const Data result = data(a.recv, a.count, *a.type);
  Scratch memory(c);
  Data mine = data(a.send, a.count, *a.type);
  if (a.in_place()) {
    mine = memory.take(a.count, *a.type);
    c.copy(result, mine);
  }
  co_await scan(c, a, mine, result, false);
}

Traffic scan_recursive_doubling_traffic(const Load& load) {
  Count messages = 0;
  for (int distance = 1; distance < load.ranks; distance *= 2)
    for (int rank = 0; rank < load.ranks; ++rank) messages += (rank ^ distance) < load.ranks ? 1 : 0;
  return {messages, messages * load.bytes};
}

}  // namespace starling::coll
