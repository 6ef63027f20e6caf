// SPDX-License-Identifier: BSD-3-Clause
// For operations without commutativity: everybody receives its block from all others and reduces them in the canonical order.
// Needs room for p blocks. Cost: (p - 1) (alpha + n beta + n gamma) for blocks of n bytes.
#include "coll/fold.h"
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
  in_canonical_order(
      c.size, [&](int lower, int higher) { c.reduce(*a.op, operands.part(lower * n, n), operands.part(higher * n, n)); });
  c.copy(operands.part((c.size - 1) * n, n), data(a.recv, n, *a.type));
}

}  // namespace starling::coll
