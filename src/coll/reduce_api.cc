// SPDX-License-Identifier: BSD-3-Clause
// The reductions: the border functions (doc/api-layer.md).
#include "coll/allreduce/allreduce.h"
#include "coll/checks.h"
#include "coll/drive.h"
#include "coll/entry.gen.h"
#include "coll/reduce/reduce.h"
#include "coll/reduce_scatter/reduce_scatter.h"
#include "coll/scan/scan.h"

namespace starling::coll {

namespace {

ReduceArgs reduce_args(const Comm& comm, const void* sendbuf, void* recvbuf, Count count, Datatype& datatype, Op& op,
                       int root) {
  check_root(comm, root);
  if (root != kProcNull) check_op(op, datatype);  // with MPI_PROC_NULL neither is significant
  if (sendbuf == kInPlace) check_in_place(comm, comm.rank == root);
  if (!comm.inter && comm.rank == root) check_distinct(sendbuf, recvbuf, count * datatype.size);
  return {sendbuf, recvbuf, count, &datatype, &op, root};
}

ReduceArgs allreduce_args(const Comm& comm, const void* sendbuf, void* recvbuf, Count count, Datatype& datatype, Op& op) {
  check_op(op, datatype);
  if (sendbuf == kInPlace) check_in_place(comm, true);
  check_distinct(sendbuf, recvbuf, count * datatype.size);
  return {sendbuf, recvbuf, count, &datatype, &op, 0};
}

ReduceArgs scan_args(const Comm& comm, const void* sendbuf, void* recvbuf, Count count, Datatype& datatype, Op& op) {
  check_intra(comm);
  return allreduce_args(comm, sendbuf, recvbuf, count, datatype, op);
}

ReduceScatterArgs checked(const Comm& comm, const ReduceScatterArgs& args) {
  check_op(*args.op, *args.type);
  if (args.in_place()) check_in_place(comm, true);
  check_distinct(args.send, args.recv, args.count_of(comm.rank) * args.type->size);
  return args;
}
ReduceScatterArgs reduce_scatter_block_args(const Comm& comm, const void* sendbuf, void* recvbuf, Count recvcount,
                                            Datatype& datatype, Op& op) {
  return checked(comm, {sendbuf, recvbuf, recvcount, {}, &datatype, &op});
}
ReduceScatterArgs reduce_scatter_args(const Comm& comm, const void* sendbuf, void* recvbuf, CountArray recvcounts,
                                      Datatype& datatype, Op& op) {
  return checked(comm, {sendbuf, recvbuf, 0, recvcounts, &datatype, &op});
}

}  // namespace

void reduce(const void* sendbuf, void* recvbuf, Count count, Datatype& datatype, Op& op, int root, Comm& comm) {
  run(kReduce, comm, reduce_args(comm, sendbuf, recvbuf, count, datatype, op, root));
}
void ireduce(const void* sendbuf, void* recvbuf, Count count, Datatype& datatype, Op& op, int root, Comm& comm,
             Request*& request) {
  request = start(kReduce, comm, reduce_args(comm, sendbuf, recvbuf, count, datatype, op, root));
}
void reduce_init(const void* sendbuf, void* recvbuf, Count count, Datatype& datatype, Op& op, int root, Comm& comm, Info*,
                 Request*& request) {
  request = prepare(kReduce, comm, reduce_args(comm, sendbuf, recvbuf, count, datatype, op, root));
}

void allreduce(const void* sendbuf, void* recvbuf, Count count, Datatype& datatype, Op& op, Comm& comm) {
  run(kAllreduce, comm, allreduce_args(comm, sendbuf, recvbuf, count, datatype, op));
}
void iallreduce(const void* sendbuf, void* recvbuf, Count count, Datatype& datatype, Op& op, Comm& comm, Request*& request) {
  request = start(kAllreduce, comm, allreduce_args(comm, sendbuf, recvbuf, count, datatype, op));
}
void allreduce_init(const void* sendbuf, void* recvbuf, Count count, Datatype& datatype, Op& op, Comm& comm, Info*,
                    Request*& request) {
  request = prepare(kAllreduce, comm, allreduce_args(comm, sendbuf, recvbuf, count, datatype, op));
}

void reduce_scatter_block(const void* sendbuf, void* recvbuf, Count recvcount, Datatype& datatype, Op& op, Comm& comm) {
  run(kReduceScatterBlock, comm, reduce_scatter_block_args(comm, sendbuf, recvbuf, recvcount, datatype, op));
}
void ireduce_scatter_block(const void* sendbuf, void* recvbuf, Count recvcount, Datatype& datatype, Op& op, Comm& comm,
                           Request*& request) {
  request = start(kReduceScatterBlock, comm, reduce_scatter_block_args(comm, sendbuf, recvbuf, recvcount, datatype, op));
}
void reduce_scatter_block_init(const void* sendbuf, void* recvbuf, Count recvcount, Datatype& datatype, Op& op, Comm& comm,
                               Info*, Request*& request) {
  request = prepare(kReduceScatterBlock, comm, reduce_scatter_block_args(comm, sendbuf, recvbuf, recvcount, datatype, op));
}

void reduce_scatter(const void* sendbuf, void* recvbuf, CountArray recvcounts, Datatype& datatype, Op& op, Comm& comm) {
  run(kReduceScatter, comm, reduce_scatter_args(comm, sendbuf, recvbuf, recvcounts, datatype, op));
}
void ireduce_scatter(const void* sendbuf, void* recvbuf, CountArray recvcounts, Datatype& datatype, Op& op, Comm& comm,
                     Request*& request) {
  request = start(kReduceScatter, comm, reduce_scatter_args(comm, sendbuf, recvbuf, recvcounts, datatype, op));
}
void reduce_scatter_init(const void* sendbuf, void* recvbuf, CountArray recvcounts, Datatype& datatype, Op& op, Comm& comm,
                         Info*, Request*& request) {
  request = prepare(kReduceScatter, comm, reduce_scatter_args(comm, sendbuf, recvbuf, recvcounts, datatype, op));
}

void scan(const void* sendbuf, void* recvbuf, Count count, Datatype& datatype, Op& op, Comm& comm) {
  run(kScan, comm, scan_args(comm, sendbuf, recvbuf, count, datatype, op));
}
void iscan(const void* sendbuf, void* recvbuf, Count count, Datatype& datatype, Op& op, Comm& comm, Request*& request) {
  request = start(kScan, comm, scan_args(comm, sendbuf, recvbuf, count, datatype, op));
}
void scan_init(const void* sendbuf, void* recvbuf, Count count, Datatype& datatype, Op& op, Comm& comm, Info*,
               Request*& request) {
  request = prepare(kScan, comm, scan_args(comm, sendbuf, recvbuf, count, datatype, op));
}

void exscan(const void* sendbuf, void* recvbuf, Count count, Datatype& datatype, Op& op, Comm& comm) {
  run(kExscan, comm, scan_args(comm, sendbuf, recvbuf, count, datatype, op));
}
void iexscan(const void* sendbuf, void* recvbuf, Count count, Datatype& datatype, Op& op, Comm& comm, Request*& request) {
  request = start(kExscan, comm, scan_args(comm, sendbuf, recvbuf, count, datatype, op));
}
void exscan_init(const void* sendbuf, void* recvbuf, Count count, Datatype& datatype, Op& op, Comm& comm, Info*,
                 Request*& request) {
  request = prepare(kExscan, comm, scan_args(comm, sendbuf, recvbuf, count, datatype, op));
}

}  // namespace starling::coll
