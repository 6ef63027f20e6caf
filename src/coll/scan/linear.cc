// SPDX-License-Identifier: BSD-3-Clause
// Linear: each process combines what comes from below with its own data and passes it on. The fewest messages and reductions;
// for few processes, or when they come one after the other anyway. Cost: (p - 1) (alpha + n beta + n gamma).
#include "coll/scan/scan.h"

namespace starling::coll {

Task scan_linear(Ctx c, ReduceArgs a) {
  const Data result = data(a.recv, a.count, *a.type);
  if (!a.in_place()) c.copy(data(a.send, a.count, *a.type), result);
  if (c.rank > 0) {
    Scratch memory(c);
    const Data below = memory.take(a.count, *a.type);
    co_await c.recv(below, c.rank - 1);
    c.reduce(*a.op, below, result);
  }
  if (c.rank + 1 < c.size) co_await c.send(result, c.rank + 1);
}

Task exscan_linear(Ctx c, ReduceArgs a) {
  const Data result = data(a.recv, a.count, *a.type);
  Scratch memory(c);
  const Data total = memory.take(a.count, *a.type);
  c.copy(data(a.source(), a.count, *a.type), total);
  if (c.rank > 0) {
    co_await c.recv(result, c.rank - 1);
    c.reduce(*a.op, result, total);
  }
  if (c.rank + 1 < c.size) co_await c.send(total, c.rank + 1);
}

Traffic scan_linear_traffic(const Load& load) { return {load.ranks - 1, (load.ranks - 1) * load.bytes}; }

}  // namespace starling::coll
