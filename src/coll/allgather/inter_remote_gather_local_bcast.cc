// SPDX-License-Identifier: BSD-3-Clause
// Intercommunicators: everybody sends to the leader of the other side, who packs what comes and tells its side.
// Cost: p alpha + n beta + ceil(log2 p) (alpha + n beta), n the size of the result.
#include "coll/allgather/allgather.h"
#include "coll/bcast/bcast.h"

namespace starling::coll {

Task allgather_inter_remote_gather_local_bcast(Ctx c, AllgatherArgs a) {
  ScratchArray<Count> offset(c, a.sources + 1);
  offset[0] = 0;
  for (int i = 0; i < a.sources; ++i) offset[i + 1] = offset[i] + a.recv.bytes(i);
  Scratch packed(c, offset[a.sources]);
  Messages batch(c, kBatch + 1);
  batch.send(a.send, 0);
  for (int from = 0; c.rank == 0 && from < a.sources; ++from) {
    batch.recv(packed.raw(offset[from], offset[from + 1] - offset[from]), from);
    if (batch.full()) co_await batch.all();
  }
  co_await batch.all();
  BcastArgs result{packed.raw(0, offset[a.sources]), 0};
  co_await bcast_binomial(c.local(), result);
  for (int i = 0; i < a.sources; ++i) c.copy(packed.raw(offset[i], offset[i + 1] - offset[i]), a.recv[i]);
}

}  // namespace starling::coll
