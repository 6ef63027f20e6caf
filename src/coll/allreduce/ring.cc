// SPDX-License-Identifier: BSD-3-Clause
// Ring: each of p chunks travels round and is reduced on its way, then travels round once more as a result. For long vectors,
// any number of processes, commutative operations. Cost: 2 (p - 1) alpha + 2 n (p - 1) / p beta + n (p - 1) / p gamma.
// Patarasuk, Yuan, JPDC 69(2), 2009.
#include "coll/allreduce/allreduce.h"

namespace starling::coll {

Task allreduce_ring(Ctx c, ReduceArgs a) {
  const Data vector = data(a.recv, a.count, *a.type);
  const Data mine = data(a.source(), a.count, *a.type);
  if (c.size == 1) c.copy(mine, vector);
  const Partition cut{a.count, c.size};
  Scratch memory(c);
  const Data incoming = memory.take(cut.length(0), *a.type);
  const int right = (c.rank + 1) % c.size, left = (c.rank - 1 + c.size) % c.size;
  for (int step = 0; step < c.size - 1; ++step) {
    const int out = (c.rank - step + c.size) % c.size, in = (left - step + c.size) % c.size;
    const Data received = incoming.part(0, cut.length(in));
    const Data& sent = step == 0 ? mine : vector;
    co_await c.sendrecv(sent.part(cut.first(out), cut.length(out)), right, received, left);
    c.combine(*a.op, received, mine.part(cut.first(in), received.count), vector.part(cut.first(in), received.count));
  }
  for (int step = 0; step < c.size - 1; ++step) {
    const int out = (right - step + c.size) % c.size, in = (c.rank - step + c.size) % c.size;
    co_await c.sendrecv(vector.part(cut.first(out), cut.length(out)), right, vector.part(cut.first(in), cut.length(in)), left);
  }
}

Traffic allreduce_ring_traffic(const Load& load) {
  const Count p = load.ranks;
  return {2 * p * (p - 1), 2 * (p - 1) * load.bytes};
}

}  // namespace starling::coll
