// SPDX-License-Identifier: BSD-3-Clause
// Graph topologies, in which every process knows the whole graph (MPI 5.0 section 8.5.3).
#include <algorithm>

#include "base/error.h"
#include "comm/create.h"
#include "comm/entry.gen.h"
#include "comm/topology.h"

namespace starling::comm {

namespace {

void check_graph(const Comm& comm, int nnodes, const int* index, const int* edges) {
  if (nnodes < 0) fail(kErrArg, "the number of nodes is %d, but must not be negative", nnodes);
  if (nnodes > comm.size) fail(kErrArg, "the graph has %d nodes, but the communicator only %d processes", nnodes, comm.size);
  for (int r = 0; r < nnodes; ++r)
    if (index[r] < (r > 0 ? index[r - 1] : 0))
      fail(kErrArg, "index[%d] is %d, but must not be smaller than the one before", r, index[r]);
  for (int e = 0; e < (nnodes > 0 ? index[nnodes - 1] : 0); ++e)
    if (edges[e] < 0 || edges[e] >= nnodes) fail(kErrArg, "edges[%d] is %d, but the graph has %d nodes", e, edges[e], nnodes);
}

struct Slice {
  std::vector<int>::const_iterator begin, end;
};

Slice neighbors_of(const Topology& graph, int rank) {
  auto r = static_cast<std::size_t>(rank);
  return {graph.edges.begin() + (r > 0 ? graph.index[r - 1] : 0), graph.edges.begin() + graph.index[r]};
}

Slice checked_neighbors(const Comm& comm, int rank) {
  const Topology& graph = topology(comm, kGraph);
  if (rank < 0 || rank >= comm.size)
    fail(kErrRank, "rank %d is not in the communicator, which has %d processes", rank, comm.size);
  return neighbors_of(graph, rank);
}

// Copies as much as the caller has room for.
void copy_some(std::vector<int>::const_iterator begin, std::vector<int>::const_iterator end, int room, int* out) {
  std::copy(begin, begin + std::clamp<std::ptrdiff_t>(room, 0, end - begin), out);
}

}  // namespace

void graph_create(Comm& comm_old, int nnodes, const int* index, const int* edges, bool, Comm*& comm_graph) {
  check_intra(comm_old);
  check_graph(comm_old, nnodes, index, edges);
  comm_graph = create_first(comm_old, nnodes);
  if (!comm_graph) return;
  auto graph = make_held<Topology>();
  graph->kind = kGraph;
  graph->index.assign(index, index + nnodes);
  graph->edges.assign(edges, edges + index[nnodes - 1]);
  Slice mine = neighbors_of(*graph, comm_graph->rank);
  graph->sources.assign(mine.begin, mine.end);
  graph->destinations = graph->sources;
  comm_graph->topology = std::move(graph);
}

void graphdims_get(Comm& comm, int& nnodes, int& nedges) {
  const Topology& graph = topology(comm, kGraph);
  nnodes = static_cast<int>(graph.index.size());
  nedges = static_cast<int>(graph.edges.size());
}

void graph_get(Comm& comm, int maxindex, int maxedges, int* index, int* edges) {
  const Topology& graph = topology(comm, kGraph);
  copy_some(graph.index.begin(), graph.index.end(), maxindex, index);
  copy_some(graph.edges.begin(), graph.edges.end(), maxedges, edges);
}

void graph_neighbors_count(Comm& comm, int rank, int& nneighbors) {
  Slice slice = checked_neighbors(comm, rank);
  nneighbors = static_cast<int>(slice.end - slice.begin);
}

void graph_neighbors(Comm& comm, int rank, int maxneighbors, int* neighbors) {
  Slice slice = checked_neighbors(comm, rank);
  copy_some(slice.begin, slice.end, maxneighbors, neighbors);
}

// Ranks are not reordered: rank r gets node r.
void graph_map(Comm& comm, int nnodes, const int* index, const int* edges, int& newrank) {
  check_intra(comm);
  check_graph(comm, nnodes, index, edges);
  newrank = comm.rank < nnodes ? comm.rank : kUndefined;
}

void topo_test(Comm& comm, int& status) { status = comm.topology ? comm.topology->kind : kUndefined; }

}  // namespace starling::comm
