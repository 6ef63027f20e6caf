// SPDX-License-Identifier: BSD-3-Clause
// Intercommunicators: each side reduces to its leader, the leaders exchange the results, and tell their sides.
// Cost: (2 ceil(log2 p) + 1) (alpha + n beta) + ceil(log2 p) n gamma for the larger side.
#include "coll/allreduce/allreduce.h"
#include "coll/bcast/bcast.h"
#include "coll/reduce/reduce.h"

namespace starling::coll {

Task allreduce_inter_reduce_exchange_bcast(Ctx c, ReduceArgs a) {
  Scratch memory(c);
  const Data mine = c.rank == 0 ? memory.take(a.count, *a.type) : Data{};
  const Data theirs = data(a.recv, a.count, *a.type);
  ReduceArgs inside{a.send, mine.address, a.count, a.type, a.op, 0};
  co_await reduce_binomial(c.local(), inside);
  if (c.rank == 0) co_await c.sendrecv(mine, 0, theirs, 0);
  BcastArgs result{theirs, 0};
  co_await bcast_binomial(c.local(), result);
}

}  // namespace starling::coll
