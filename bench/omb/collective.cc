// SPDX-License-Identifier: BSD-3-Clause
#include "collective.h"

#include <iterator>

namespace omb {
namespace {

// The blocking and the non-blocking call of one function with the same arguments, and the persistent one where MPI has it.
#define CALLS(Blocking, Nonblocking, ...)                  \
  [](const Arguments& a) { MPI_##Blocking(__VA_ARGS__); }, \
      [](const Arguments& a, MPI_Request* request) { MPI_##Nonblocking(__VA_ARGS__, request); }
#if MPI_VERSION >= 4
#define INIT(Persistent, ...) \
  [](const Arguments& a, MPI_Request* request) { MPI_##Persistent(__VA_ARGS__, MPI_INFO_NULL, request); }
#else
#define INIT(Persistent, ...) nullptr
#endif
#define ALL_CALLS(Name, name, ...) CALLS(Name, I##name, __VA_ARGS__), INIT(Name##_init, __VA_ARGS__)
#define NEIGHBOR_CALLS(name, ...) CALLS(Neighbor_##name, Ineighbor_##name, __VA_ARGS__), nullptr

#define SEND a.send, a.count, a.type
#define RECEIVE a.receive, a.count, a.type
#define SEND_V a.send, a.send_counts, a.send_displacements, a.type
#define RECEIVE_V a.receive, a.receive_counts, a.receive_displacements, a.type
#define SEND_W a.send, a.send_counts, a.send_bytes, a.send_types
#define RECEIVE_W a.receive, a.receive_counts, a.receive_bytes, a.receive_types

using enum Blocks;
using R = Root;
using P = InPlace;

// clang-format off
const Collective kCollectives[] = {
    {kOne, kEach, false, R::kNone, P::kSend, false, ALL_CALLS(Allgather, allgather, SEND, RECEIVE, a.comm)},
    {kOne, kEach, false, R::kNone, P::kSend, false, ALL_CALLS(Allgatherv, allgatherv, SEND, RECEIVE_V, a.comm)},
    {kOne, kOne, false, R::kNone, P::kSend, true, ALL_CALLS(Allreduce, allreduce, a.send, a.receive, a.count, a.type, MPI_SUM, a.comm)},
    {kEach, kEach, true, R::kNone, P::kSend, false, ALL_CALLS(Alltoall, alltoall, SEND, RECEIVE, a.comm)},
    {kEach, kEach, true, R::kNone, P::kSend, false, ALL_CALLS(Alltoallv, alltoallv, SEND_V, RECEIVE_V, a.comm)},
    {kEach, kEach, true, R::kNone, P::kSend, false, ALL_CALLS(Alltoallw, alltoallw, SEND_W, RECEIVE_W, a.comm)},
    {kNone, kNone, false, R::kNone, P::kNever, false, ALL_CALLS(Barrier, barrier, a.comm)},
    {kNone, kOne, false, R::kSends, P::kNever, false, ALL_CALLS(Bcast, bcast, RECEIVE, a.root, a.comm)},
    {kOne, kEach, false, R::kReceives, P::kRootSend, false, ALL_CALLS(Gather, gather, SEND, RECEIVE, a.root, a.comm)},
    {kOne, kEach, false, R::kReceives, P::kRootSend, false, ALL_CALLS(Gatherv, gatherv, SEND, RECEIVE_V, a.root, a.comm)},
    {kOne, kOne, false, R::kReceives, P::kRootSend, true, ALL_CALLS(Reduce, reduce, a.send, a.receive, a.count, a.type, MPI_SUM, a.root, a.comm)},
    {kOne, kShare, false, R::kNone, P::kSend, true, ALL_CALLS(Reduce_scatter, reduce_scatter, a.send, a.receive, a.receive_counts, a.type, MPI_SUM, a.comm)},
    {kOne, kShare, false, R::kNone, P::kSend, true, ALL_CALLS(Reduce_scatter_block, reduce_scatter_block, a.send, a.receive, a.count, a.type, MPI_SUM, a.comm)},
    {kEach, kOne, true, R::kSends, P::kRootReceive, false, ALL_CALLS(Scatter, scatter, SEND, RECEIVE, a.root, a.comm)},
    {kEach, kOne, true, R::kSends, P::kRootReceive, false, ALL_CALLS(Scatterv, scatterv, SEND_V, RECEIVE, a.root, a.comm)},
    {kOne, kEach, false, R::kNone, P::kNever, false, NEIGHBOR_CALLS(allgather, SEND, RECEIVE, a.comm)},
    {kOne, kEach, false, R::kNone, P::kNever, false, NEIGHBOR_CALLS(allgatherv, SEND, RECEIVE_V, a.comm)},
    {kEach, kEach, true, R::kNone, P::kNever, false, NEIGHBOR_CALLS(alltoall, SEND, RECEIVE, a.comm)},
    {kEach, kEach, true, R::kNone, P::kNever, false, NEIGHBOR_CALLS(alltoallv, SEND_V, RECEIVE_V, a.comm)},
    {kEach, kEach, true, R::kNone, P::kNever, false, NEIGHBOR_CALLS(alltoallw,
        a.send, a.send_counts, a.send_addresses, a.send_types, a.receive, a.receive_counts, a.receive_addresses, a.receive_types, a.comm)},
};
// clang-format on
static_assert(std::size(kCollectives) == kNeighborAlltoallw + 1);

}  // namespace

const Collective& collective(int id) { return kCollectives[id]; }

}  // namespace omb
