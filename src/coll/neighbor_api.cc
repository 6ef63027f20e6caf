// SPDX-License-Identifier: BSD-3-Clause
// Neighbourhood collectives: the border functions (doc/api-layer.md).
#include "coll/checks.h"
#include "coll/drive.h"
#include "coll/entry.gen.h"
#include "coll/neighbor/neighbor.h"
#include "comm/topology.h"

namespace starling::coll {

namespace {

AllgatherArgs checked(const Comm& comm, const Data& send, const Blocks& recv) {
  const Topology& topology = comm::topology(comm);
  if (send.in_place()) check_in_place(comm, false);
  return {send, recv, static_cast<int>(topology.sources.size())};
}
AlltoallArgs checked(const Comm& comm, const Blocks& send, const Blocks& recv) {
  const Topology& topology = comm::topology(comm);
  if (send.in_place()) check_in_place(comm, false);
  return {send, recv, static_cast<int>(topology.destinations.size()), static_cast<int>(topology.sources.size())};
}

AllgatherArgs allgather_args(const Comm& comm, const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf,
                             Count recvcount, Datatype& recvtype) {
  return checked(comm, data(sendbuf, sendcount, sendtype), blocks(recvbuf, recvcount, recvtype));
}
AllgatherArgs allgatherv_args(const Comm& comm, const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf,
                              CountArray recvcounts, CountArray displs, Datatype& recvtype) {
  return checked(comm, data(sendbuf, sendcount, sendtype), blocks(recvbuf, recvcounts, displs, recvtype));
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

void neighbor_allgather(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, Count recvcount,
                        Datatype& recvtype, Comm& comm) {
  run(kNeighborAllgather, comm, allgather_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype));
}
void ineighbor_allgather(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, Count recvcount,
                         Datatype& recvtype, Comm& comm, Request*& request) {
  request = start(kNeighborAllgather, comm, allgather_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype));
}
void neighbor_allgather_init(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, Count recvcount,
                             Datatype& recvtype, Comm& comm, Info*, Request*& request) {
  request = prepare(kNeighborAllgather, comm, allgather_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype));
}

void neighbor_allgatherv(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, CountArray recvcounts,
                         CountArray displs, Datatype& recvtype, Comm& comm) {
  run(kNeighborAllgatherv, comm, allgatherv_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype));
}
void ineighbor_allgatherv(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, CountArray recvcounts,
                          CountArray displs, Datatype& recvtype, Comm& comm, Request*& request) {
  request = start(kNeighborAllgatherv, comm,
                  allgatherv_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype));
}
void neighbor_allgatherv_init(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, CountArray recvcounts,
                              CountArray displs, Datatype& recvtype, Comm& comm, Info*, Request*& request) {
  request = prepare(kNeighborAllgatherv, comm,
                    allgatherv_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype));
}

void neighbor_alltoall(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, Count recvcount,
                       Datatype& recvtype, Comm& comm) {
  run(kNeighborAlltoall, comm, alltoall_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype));
}
void ineighbor_alltoall(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, Count recvcount,
                        Datatype& recvtype, Comm& comm, Request*& request) {
  request = start(kNeighborAlltoall, comm, alltoall_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype));
}
void neighbor_alltoall_init(const void* sendbuf, Count sendcount, Datatype& sendtype, void* recvbuf, Count recvcount,
                            Datatype& recvtype, Comm& comm, Info*, Request*& request) {
  request = prepare(kNeighborAlltoall, comm, alltoall_args(comm, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype));
}

void neighbor_alltoallv(const void* sendbuf, CountArray sendcounts, CountArray sdispls, Datatype& sendtype, void* recvbuf,
                        CountArray recvcounts, CountArray rdispls, Datatype& recvtype, Comm& comm) {
  run(kNeighborAlltoallv, comm,
      alltoallv_args(comm, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype));
}
void ineighbor_alltoallv(const void* sendbuf, CountArray sendcounts, CountArray sdispls, Datatype& sendtype, void* recvbuf,
                         CountArray recvcounts, CountArray rdispls, Datatype& recvtype, Comm& comm, Request*& request) {
  request = start(kNeighborAlltoallv, comm,
                  alltoallv_args(comm, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype));
}
void neighbor_alltoallv_init(const void* sendbuf, CountArray sendcounts, CountArray sdispls, Datatype& sendtype, void* recvbuf,
                             CountArray recvcounts, CountArray rdispls, Datatype& recvtype, Comm& comm, Info*,
                             Request*& request) {
  request = prepare(kNeighborAlltoallv, comm,
                    alltoallv_args(comm, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype));
}

void neighbor_alltoallw(const void* sendbuf, CountArray sendcounts, CountArray sdispls, Datatype* const* sendtypes,
                        void* recvbuf, CountArray recvcounts, CountArray rdispls, Datatype* const* recvtypes, Comm& comm) {
  run(kNeighborAlltoallw, comm,
      alltoallw_args(comm, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes));
}
void ineighbor_alltoallw(const void* sendbuf, CountArray sendcounts, CountArray sdispls, Datatype* const* sendtypes,
                         void* recvbuf, CountArray recvcounts, CountArray rdispls, Datatype* const* recvtypes, Comm& comm,
                         Request*& request) {
  request = start(kNeighborAlltoallw, comm,
                  alltoallw_args(comm, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes));
}
void neighbor_alltoallw_init(const void* sendbuf, CountArray sendcounts, CountArray sdispls, Datatype* const* sendtypes,
                             void* recvbuf, CountArray recvcounts, CountArray rdispls, Datatype* const* recvtypes, Comm& comm,
                             Info*, Request*& request) {
  request = prepare(kNeighborAlltoallw, comm,
                    alltoallw_args(comm, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes));
}

}  // namespace starling::coll
