// SPDX-License-Identifier: BSD-3-Clause
// For operations without commutativity: everybody receives its block from all others and reduces them in the order of ranks.
// Needs room for p blocks. Cost: (p - 1) (alpha + n beta + n gamma) for blocks of n bytes.
#include "coll/reduce_scatter/reduce_scatter.h"

namespace starling::coll {

Task reduce_scatter_noncommutative(Ctx c, ReduceScatterArgs a) {
  const BlockVector source(c, a, a.source(), c.size);
  const Count n = a.count_of(c.rank);
  Scratch memory(c);
  const Data operands = memory.take(n * c.size, *a.type);
  c.copy(source[c.rank], operands.part(c.rank * n, n));
  Messages batch(c, 2 * kBatch);
  for (int distance = 1; distance < c.size; ++distance) {
    const int to = (c.rank + distance) % c.size, from = (c.rank - distance + c.size) % c.size;
    batch.recv(operands.part(from * n, n), from);
    batch.send(source[to], to);
    if (distance % kBatch == 0) co_await batch.all();
  }
  co_await batch.all();
  for (int i = 0; i + 1 < c.size; ++i) c.reduce(*a.op, operands.part(i * n, n), operands.part((i + 1) * n, n));
  c.copy(operands.part((c.size - 1) * n, n), data(a.recv, n, *a.type));
}

}  // namespace starling::coll
