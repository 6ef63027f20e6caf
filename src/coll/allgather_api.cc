// SPDX-License-Identifier: BSD-3-Clause
// MPI_Allgather and Allgatherv: the border functions (doc/api-layer.md).
#include "coll/allgather/allgather.h"
#include "coll/checks.h"
#include "coll/drive.h"
#include "coll/entry.gen.h"

namespace starling::coll {

namespace {

AllgatherArgs checked(const Comm& comm, const AllgatherArgs& args) {
  if (args.send.in_place()) check_in_place(comm, true);
  check_distinct(args.send.address, args.recv.address, args.send.bytes());
  // At every rank, so that none goes on alone.
  if (!comm.inter) check_distinct(args.send.address, args.recv[comm.rank].address, args.send.bytes());
  return args;
}

AllgatherArgs allgather_args(const Comm& comm, const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf,
                             Count recvcount, Datatype& recvtype) {
  return checked(comm, {data(sendbuf, sendcount, sendtype), blocks(recvbuf, recvcount, recvtype), comm.remote_size});
}
AllgatherArgs allgatherv_args(const Comm& comm, const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf,
                              CountArray recvcounts, CountArray displs, Datatype& recvtype) {
  return checked(comm, {data(sendbuf, sendcount, sendtype), blocks(recvbuf, recvcounts, displs, recvtype), comm.remote_size});
}

}  // namespace

void allgather(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, Count recvcount, Datatype& recvtype,
               Comm& comm) {
  run(kAllgather, comm, allgather_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype));
}
void iallgather(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, Count recvcount, Datatype& recvtype,
                Comm& comm, Request*& request) {
  request = start(kAllgather, comm, allgather_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype));
}
void allgather_init(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, Count recvcount,
                    Datatype& recvtype, Comm& comm, Info*, Request*& request) {
  request = prepare(kAllgather, comm, allgather_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype));
}

void allgatherv(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, CountArray recvcounts,
                CountArray displs, Datatype& recvtype, Comm& comm) {
  run(kAllgatherv, comm, allgatherv_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype));
}
void iallgatherv(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, CountArray recvcounts,
                 CountArray displs, Datatype& recvtype, Comm& comm, Request*& request) {
  request =
      start(kAllgatherv, comm, allgatherv_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype));
}
void allgatherv_init(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, CountArray recvcounts,
                     CountArray displs, Datatype& recvtype, Comm& comm, Info*, Request*& request) {
  request =
      prepare(kAllgatherv, comm, allgatherv_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype));
}

}  // namespace starling::coll
