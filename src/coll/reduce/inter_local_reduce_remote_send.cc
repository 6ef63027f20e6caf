// SPDX-License-Identifier: BSD-3-Clause
// Intercommunicators: the other side reduces to its leader, who sends the result to the root. The root's own side takes no
// part. Cost: (ceil(log2 p) + 1) (alpha + n beta) + ceil(log2 p) n gamma.
#include "coll/reduce/reduce.h"

namespace starling::coll {

Task reduce_inter_local_reduce_remote_send(Ctx c, ReduceArgs a) {
  if (a.root == kProcNull) co_return;
  if (a.root == kRoot) {
    co_await c.recv(data(a.recv, a.count, *a.type), 0);
    co_return;
  }
  Scratch memory(c);
  Data result = c.rank == 0 ? memory.take(a.count, *a.type) : Data{};
  ReduceArgs inside{a.send, result.address, a.count, a.type, a.op, 0};
  co_await reduce_binomial(c.local(), inside);
  if (c.rank == 0) co_await c.send(result, a.root);
}

}  // namespace starling::coll
