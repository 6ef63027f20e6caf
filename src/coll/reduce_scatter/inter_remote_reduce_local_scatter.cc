// SPDX-License-Identifier: BSD-3-Clause
// Intercommunicators: each side reduces to its leader, the leaders exchange the results, and scatter what they got over their
// sides. Cost: (ceil(log2 p) + 1 + p) alpha + (ceil(log2 p) + 2) n beta + ceil(log2 p) n gamma, n the size of the vector.
#include "coll/reduce/reduce.h"
#include "coll/reduce_scatter/reduce_scatter.h"
#include "coll/scatter/scatter.h"

namespace starling::coll {

Task reduce_scatter_inter_remote_reduce_local_scatter(Ctx c, ReduceScatterArgs a) {
  const BlockVector source(c, a, a.send, c.size);
  const Count n = source.all().count;
  Scratch memory(c), more(c);
  const bool leader = c.rank == 0;
  const Data mine = leader ? memory.take(n, *a.type) : Data{};
  ReduceArgs inside{a.send, mine.address, n, a.type, a.op, 0};
  co_await reduce_binomial(c.local(), inside);
  ScratchArray<Count> counts(c, leader ? c.size : 0), displacements(c, leader ? c.size : 0);
  Data theirs{nullptr, 0, a.type};
  if (leader) {
    theirs = more.take(n, *a.type);
    co_await c.sendrecv(mine, 0, theirs, 0);
    for (int i = 0; i < c.size; ++i) {
      counts[i] = a.count_of(i);
      displacements[i] = i == 0 ? 0 : displacements[i - 1] + counts[i - 1];
    }
  }
  ScatterArgs parts{blocks(theirs.address, CountArray(&counts[0]), CountArray(&displacements[0]), *a.type),
                    data(a.recv, a.count_of(c.rank), *a.type), 0, false};
  co_await scatter_linear(c.local(), parts);
}

}  // namespace starling::coll
