// SPDX-License-Identifier: BSD-3-Clause
// MPI_Alltoall, Alltoallv, Alltoallw: the border functions (doc/api-layer.md).
#include "coll/alltoall/alltoall.h"
#include "coll/checks.h"
#include "coll/drive.h"
#include "coll/entry.gen.h"

namespace starling::coll {

namespace {

AlltoallArgs checked(const Comm& comm, const Blocks& send, const Blocks& recv) {
  if (send.in_place()) {
    check_in_place(comm, true);
  } else if (!comm.inter) {
    // With different types the same buffer may be meant: they may describe different places in it.
    const Data own = send[comm.rank], kept = recv[comm.rank];
    if (own.type == kept.type) check_distinct(own.address, kept.address, own.bytes());
  }
  return {send, recv, comm.remote_size, comm.remote_size};
}

AlltoallArgs alltoall_args(const Comm& comm, const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf,
                           Count recvcount, Datatype& recvtype) {
  return checked(comm, blocks(sendbuf, sendcount, sendtype), blocks(recvbuf, recvcount, recvtype));
}
AlltoallArgs alltoallv_args(const Comm& comm, const void* sendbuf, CountArray sendcounts, CountArray sdispls,
                            Datatype& sendtype, void* recvbuf, CountArray recvcounts, CountArray rdispls, Datatype& recvtype) {
  return checked(comm, blocks(sendbuf, sendcounts, sdispls, sendtype), blocks(recvbuf, recvcounts, rdispls, recvtype));
}
AlltoallArgs alltoallw_args(const Comm& comm, const void* sendbuf, CountArray sendcounts, CountArray sdispls,
                            Datatype* const* sendtypes, void* recvbuf, CountArray recvcounts, CountArray rdispls,
                            Datatype* const* recvtypes) {
  return checked(comm, blocks(sendbuf, sendcounts, sdispls, sendtypes), blocks(recvbuf, recvcounts, rdispls, recvtypes));
}

}  // namespace

void alltoall(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, Count recvcount, Datatype& recvtype,
              Comm& comm) {
  run(kAlltoall, comm, alltoall_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype));
}
void ialltoall(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, Count recvcount, Datatype& recvtype,
               Comm& comm, Request*& request) {
  request = start(kAlltoall, comm, alltoall_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype));
}
void alltoall_init(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, Count recvcount, Datatype& recvtype,
                   Comm& comm, Info*, Request*& request) {
  request = prepare(kAlltoall, comm, alltoall_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype));
}

void alltoallv(const void* sendbuf, CountArray sendcounts, CountArray sdispls, Datatype& sendtype, void* recvbuf,
               CountArray recvcounts, CountArray rdispls, Datatype& recvtype, Comm& comm) {
  run(kAlltoallv, comm, alltoallv_args(comm, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype));
}
void ialltoallv(const void* sendbuf, CountArray sendcounts, CountArray sdispls, Datatype& sendtype, void* recvbuf,
                CountArray recvcounts, CountArray rdispls, Datatype& recvtype, Comm& comm, Request*& request) {
  request = start(kAlltoallv, comm,
                  alltoallv_args(comm, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype));
}
void alltoallv_init(const void* sendbuf, CountArray sendcounts, CountArray sdispls, Datatype& sendtype, void* recvbuf,
                    CountArray recvcounts, CountArray rdispls, Datatype& recvtype, Comm& comm, Info*, Request*& request) {
  request = prepare(kAlltoallv, comm,
                    alltoallv_args(comm, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype));
}

void alltoallw(const void* sendbuf, CountArray sendcounts, CountArray sdispls, Datatype* const* sendtypes, void* recvbuf,
               CountArray recvcounts, CountArray rdispls, Datatype* const* recvtypes, Comm& comm) {
  run(kAlltoallw, comm, alltoallw_args(comm, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes));
}
void ialltoallw(const void* sendbuf, CountArray sendcounts, CountArray sdispls, Datatype* const* sendtypes, void* recvbuf,
                CountArray recvcounts, CountArray rdispls, Datatype* const* recvtypes, Comm& comm, Request*& request) {
  request = start(kAlltoallw, comm,
                  alltoallw_args(comm, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes));
}
void alltoallw_init(const void* sendbuf, CountArray sendcounts, CountArray sdispls, Datatype* const* sendtypes, void* recvbuf,
                    CountArray recvcounts, CountArray rdispls, Datatype* const* recvtypes, Comm& comm, Info*,
                    Request*& request) {
  request = prepare(kAlltoallw, comm,
                    alltoallw_args(comm, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes));
}

}  // namespace starling::coll
