// SPDX-License-Identifier: BSD-3-Clause
// MPI_Barrier and MPI_Bcast: the border functions (doc/api-layer.md).
#include "coll/barrier/barrier.h"
#include "coll/bcast/bcast.h"
#include "coll/checks.h"
#include "coll/drive.h"
#include "coll/entry.gen.h"

namespace starling::coll {

namespace {

BarrierArgs barrier_args(const Comm&) { return {}; }

BcastArgs bcast_args(const Comm& comm, void* buffer, Count count, Datatype& datatype, int root) {
  check_root(comm, root);
  return {data(buffer, count, datatype), root};
}

}  // namespace

[[gnu::hot]] void barrier(Comm& comm) { run(kBarrier, comm, barrier_args(comm)); }
void ibarrier(Comm& comm, Request*& request) { request = start(kBarrier, comm, barrier_args(comm)); }
void barrier_init(Comm& comm, Info*, Request*& request) { request = prepare(kBarrier, comm, barrier_args(comm)); }

void bcast(void* buffer, Count count, Datatype& datatype, int root, Comm& comm) {
  run(kBcast, comm, bcast_args(comm, buffer, count, datatype, root));
}
void ibcast(void* buffer, Count count, Datatype& datatype, int root, Comm& comm, Request*& request) {
  request = start(kBcast, comm, bcast_args(comm, buffer, count, datatype, root));
}
void bcast_init(void* buffer, Count count, Datatype& datatype, int root, Comm& comm, Info*, Request*& request) {
  request = prepare(kBcast, comm, bcast_args(comm, buffer, count, datatype, root));
}

}  // namespace starling::coll
