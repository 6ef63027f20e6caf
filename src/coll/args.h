// SPDX-License-Identifier: BSD-3-Clause
// The arguments of the collective operations. Operations of one family share a structure: MPI_Gather and MPI_Gatherv differ in
// the form of their Blocks only, MPI_Reduce, MPI_Allreduce and the scans in the root.
//
// Plain views, copied freely. Arrays and types belong to the caller of the blocking function; a request keeps its own (keep()).
#pragma once

#include <memory>
#include <vector>

#include "coll/ctx.h"
#include "coll/data.h"
#include "datatype/op.h"

namespace starling::coll {

// Holds what the arguments of an operation refer to for as long as its request lives.
class Kept {
 public:
  void keep(CountArray& array, int n) {
    if (!array) return;
    auto& copy = arrays_.emplace_back(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) copy[static_cast<std::size_t>(i)] = array[i];
    array = CountArray(copy.data());
  }
  void keep(const Datatype* type) {
    if (type) types_.emplace_back(const_cast<Datatype*>(type));
  }
  void keep(const Op* op) { op_ = Ref<Op>(const_cast<Op*>(op)); }
  void keep(Data& data) { keep(data.type); }
  // `n` blocks; 0 if they are not significant here.
  void keep(Blocks& blocks, int n) {
    keep(blocks.type);
    keep(blocks.counts, n);
    keep(blocks.displacements, n);
    if (!blocks.types) return;
    auto& copy = type_arrays_.emplace_back(blocks.types, blocks.types + n);
    for (Datatype* type : copy) keep(type);
    blocks.types = copy.data();
  }

 private:
  std::vector<std::vector<Count>> arrays_;
  std::vector<std::vector<Datatype*>> type_arrays_;
  std::vector<Ref<Datatype>> types_;
  Ref<Op> op_;
};

// How many blocks a rooted operation has at this process: 0 unless it is the root.
inline int blocks_at_root(const Comm& comm, int root) {
  return root == (comm.inter ? kRoot : comm.rank) ? comm.remote_size : 0;
}

struct BarrierArgs {
  void keep(Kept&, const Comm&) {}
};

struct BcastArgs {
  Data data;
  int root;
  void keep(Kept& kept, const Comm&) { kept.keep(data); }
};

// MPI_Reduce, Allreduce, Scan, Exscan.
struct ReduceArgs {
  const void* send;  // kInPlace: what is in recv
  void* recv;
  Count count;
  Datatype* type;
  const Op* op;
  int root;  // of MPI_Reduce
  bool in_place() const { return send == kInPlace; }
  const void* source() const { return in_place() ? recv : send; }
  void keep(Kept& kept, const Comm&) {
    kept.keep(type);
    kept.keep(op);
  }
};

// MPI_Reduce_scatter (with counts) and Reduce_scatter_block.
struct ReduceScatterArgs {
  const void* send;  // kInPlace: what is in recv
  void* recv;
  Count count;  // of each block, without `counts`
  CountArray counts;
  Datatype* type;
  const Op* op;
  bool in_place() const { return send == kInPlace; }
  const void* source() const { return in_place() ? recv : send; }
  Count count_of(int block) const { return counts ? counts[block] : count; }
  void keep(Kept& kept, const Comm& comm) {
    kept.keep(counts, comm.size);
    kept.keep(type);
    kept.keep(op);
  }
};

// MPI_Gather(v). `recv` is significant at the root only; `send` may be in place there.
struct GatherArgs {
  Data send;
  Blocks recv;
  int root;
  bool equal;  // the blocks are of equal size, as everybody knows: MPI_Gather
  void keep(Kept& kept, const Comm& comm) {
    kept.keep(send);
    kept.keep(recv, blocks_at_root(comm, root));
  }
};

// MPI_Scatter(v). `send` is significant at the root only; `recv` may be in place there.
struct ScatterArgs {
  Blocks send;
  Data recv;
  int root;
  bool equal;  // MPI_Scatter
  void keep(Kept& kept, const Comm& comm) {
    kept.keep(send, blocks_at_root(comm, root));
    kept.keep(recv);
  }
};

// MPI_Allgather(v), Neighbor_allgather(v).
struct AllgatherArgs {
  Data send;  // may be in place
  Blocks recv;
  int sources;  // number of blocks
  void keep(Kept& kept, const Comm&) {
    kept.keep(send);
    kept.keep(recv, sources);
  }
};

// MPI_Alltoall(v, w), Neighbor_alltoall(v, w).
struct AlltoallArgs {
  Blocks send;  // may be in place
  Blocks recv;
  int destinations, sources;  // number of blocks
  void keep(Kept& kept, const Comm&) {
    kept.keep(send, send.in_place() ? 0 : destinations);
    kept.keep(recv, sources);
  }
};

}  // namespace starling::coll
