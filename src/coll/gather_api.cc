// SPDX-License-Identifier: BSD-3-Clause
// MPI_Gather, Gatherv, Scatter, Scatterv: the border functions (doc/api-layer.md).
#include "coll/checks.h"
#include "coll/drive.h"
#include "coll/entry.gen.h"
#include "coll/gather/gather.h"
#include "coll/scatter/scatter.h"

namespace starling::coll {

namespace {

GatherArgs checked(const Comm& comm, const GatherArgs& args) {
  check_root(comm, args.root);
  if (args.send.in_place()) check_in_place(comm, comm.rank == args.root);
  if (!comm.inter && comm.rank == args.root) check_distinct(args.send.address, args.recv.address, args.send.bytes());
  return args;
}
ScatterArgs checked(const Comm& comm, const ScatterArgs& args) {
  check_root(comm, args.root);
  if (args.recv.in_place()) check_in_place(comm, comm.rank == args.root);
  if (!comm.inter && comm.rank == args.root) check_distinct(args.send.address, args.recv.address, args.recv.bytes());
  return args;
}

GatherArgs gather_args(const Comm& comm, const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf,
                       Count recvcount, Datatype& recvtype, int root) {
  return checked(comm, {data(sendbuf, sendcount, sendtype), blocks(recvbuf, recvcount, recvtype), root, true});
}
GatherArgs gatherv_args(const Comm& comm, const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf,
                        CountArray recvcounts, CountArray displs, Datatype& recvtype, int root) {
  return checked(comm, {data(sendbuf, sendcount, sendtype), blocks(recvbuf, recvcounts, displs, recvtype), root, false});
}
ScatterArgs scatter_args(const Comm& comm, const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf,
                         Count recvcount, Datatype& recvtype, int root) {
  return checked(comm, {blocks(sendbuf, sendcount, sendtype), data(recvbuf, recvcount, recvtype), root, true});
}
ScatterArgs scatterv_args(const Comm& comm, const void* sendbuf, CountArray sendcounts, CountArray displs, Datatype& sendtype,
                          void* recvbuf, Count recvcount, Datatype& recvtype, int root) {
  return checked(comm, {blocks(sendbuf, sendcounts, displs, sendtype), data(recvbuf, recvcount, recvtype), root, false});
}

}  // namespace

void gather(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, Count recvcount, Datatype& recvtype,
            int root, Comm& comm) {
  run(kGather, comm, gather_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root));
}
void igather(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, Count recvcount, Datatype& recvtype,
             int root, Comm& comm, Request*& request) {
  request = start(kGather, comm, gather_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root));
}
void gather_init(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, Count recvcount, Datatype& recvtype,
                 int root, Comm& comm, Info*, Request*& request) {
  request = prepare(kGather, comm, gather_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root));
}

void gatherv(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, CountArray recvcounts, CountArray displs,
             Datatype& recvtype, int root, Comm& comm) {
  run(kGatherv, comm, gatherv_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root));
}
void igatherv(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, CountArray recvcounts, CountArray displs,
              Datatype& recvtype, int root, Comm& comm, Request*& request) {
  request =
      start(kGatherv, comm, gatherv_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root));
}
void gatherv_init(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, CountArray recvcounts,
                  CountArray displs, Datatype& recvtype, int root, Comm& comm, Info*, Request*& request) {
  request =
      prepare(kGatherv, comm, gatherv_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root));
}

void scatter(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, Count recvcount, Datatype& recvtype,
             int root, Comm& comm) {
  run(kScatter, comm, scatter_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root));
}
void iscatter(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, Count recvcount, Datatype& recvtype,
              int root, Comm& comm, Request*& request) {
  request = start(kScatter, comm, scatter_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root));
}
void scatter_init(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, Count recvcount, Datatype& recvtype,
                  int root, Comm& comm, Info*, Request*& request) {
  request = prepare(kScatter, comm, scatter_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root));
}

void scatterv(const void* sendbuf, CountArray sendcounts, CountArray displs, Datatype& sendtype, void* recvbuf, Count recvcount,
              Datatype& recvtype, int root, Comm& comm) {
  run(kScatterv, comm, scatterv_args(comm, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root));
}
void iscatterv(const void* sendbuf, CountArray sendcounts, CountArray displs, Datatype& sendtype, void* recvbuf,
               Count recvcount, Datatype& recvtype, int root, Comm& comm, Request*& request) {
  request =
      start(kScatterv, comm, scatterv_args(comm, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root));
}
void scatterv_init(const void* sendbuf, CountArray sendcounts, CountArray displs, Datatype& sendtype, void* recvbuf,
                   Count recvcount, Datatype& recvtype, int root, Comm& comm, Info*, Request*& request) {
  request =
      prepare(kScatterv, comm, scatterv_args(comm, sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root));
}

}  // namespace starling::coll
