// SPDX-License-Identifier: BSD-3-Clause
// What a collective is: how it is called, and where data come from and go to.
#pragma once

#define MPICH_SKIP_MPICXX 1
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <vector>

namespace omb {

// Arguments of a call. Counts and displacements are in elements, but those for the w variants in bytes.
struct Arguments {
  const void* send;
  void* receive;
  int count;
  MPI_Datatype type;
  const int *send_counts, *send_displacements, *send_bytes;
  const int *receive_counts, *receive_displacements, *receive_bytes;
  const MPI_Aint *send_addresses, *receive_addresses;  // displacements of the neighborhood's w variant
  const MPI_Datatype *send_types, *receive_types;
  int root;
  MPI_Comm comm;
};

// Blocks of the message's size in a buffer: one, or one for each rank (or neighbor); kShare: this rank's part of one.
enum class Blocks { kNone, kOne, kEach, kShare };

enum class Root { kNone, kSends, kReceives };

// Whose buffer MPI_IN_PLACE replaces.
enum class InPlace { kNever, kSend, kRootSend, kRootReceive };

struct Collective {
  Blocks send, receive;
  bool personal;  // each receiver gets a block of its own
  Root root;
  InPlace in_place;
  bool reduces;
  void (*call)(const Arguments&);
  void (*start)(const Arguments&, MPI_Request*);
  void (*init)(const Arguments&, MPI_Request*);  // persistent; null where there is none
};

// In the order of the table in collective.cc.
enum CollectiveId {
  kAllgather,
  kAllgatherv,
  kAllreduce,
  kAlltoall,
  kAlltoallv,
  kAlltoallw,
  kBarrier,
  kBcast,
  kGather,
  kGatherv,
  kReduce,
  kReduceScatter,
  kReduceScatterBlock,
  kScatter,
  kScatterv,
  kNeighborAllgather,
  kNeighborAllgatherv,
  kNeighborAlltoall,
  kNeighborAlltoallv,
  kNeighborAlltoallw,
};

const Collective& collective(int id);

}  // namespace omb
