// SPDX-License-Identifier: BSD-3-Clause
// Distributed graph topologies, in which every process knows its neighbours only (MPI 5.0 section 8.5.4).
#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "comm/agree.h"
#include "comm/create.h"
#include "comm/entry.gen.h"
#include "comm/topology.h"

namespace starling::comm {

namespace {

struct Edge {
  int source;
  int destination;
  int weight;
};

void check_ranks(const Comm& comm, const char* name, Count n, const int* ranks) {
  for (Count i = 0; i < n; ++i)
    if (ranks[i] < 0 || ranks[i] >= comm.size)
      fail(kErrRank, "%s[%lld] is %d, but the communicator has %d processes", name, static_cast<long long>(i), ranks[i],
           comm.size);
}

bool is_weighted(const int* weights) { return weights != kUnweighted; }

// Values to read? (Not if unweighted, nor if MPI_WEIGHTS_EMPTY stands for an empty array.)
bool has_values(const int* weights) { return weights && weights != kUnweighted && weights != kWeightsEmpty; }

void check_weights(const char* name, Count n, const int* weights) {
  if (!has_values(weights)) return;
  for (Count i = 0; i < n; ++i)
    if (weights[i] < 0) fail(kErrArg, "%s[%lld] is %d, but must not be negative", name, static_cast<long long>(i), weights[i]);
}

// The new communicator has all processes of the old one, in the same order, and none of its attributes.
Comm* create_all(Comm& parent, Topology graph, Info* info) {
  Comm* made = create_first(parent, parent.size);
  made->topology = make_held<Topology>(std::move(graph));
  made->info = known_hints(info);
  return made;
}

std::vector<Edge> my_edges(const Comm& comm, int n, const int* sources, const int* degrees, const int* destinations,
                           const int* weights) {
  if (n < 0) fail(kErrArg, "n is %d, but must not be negative", n);
  check_ranks(comm, "sources", n, sources);
  for (int i = 0; i < n; ++i)
    if (degrees[i] < 0) fail(kErrArg, "degrees[%d] is %d, but must not be negative", i, degrees[i]);
  Count total = n > 0 ? std::accumulate(degrees, degrees + n, Count{0}) : 0;
  check_ranks(comm, "destinations", total, destinations);
  check_weights("weights", total, weights);
  std::vector<Edge> edges;
  for (int i = 0, e = 0; i < n; ++i)
    for (int end = e + degrees[i]; e < end; ++e)
      edges.push_back({sources[i], destinations[e], has_values(weights) ? weights[e] : 1});
  return edges;
}

// What a process contributes to the graph. One that has no edges and gives no array says nothing about weights.
enum class Weights : std::int64_t { kUnknown, kNone, kGiven };
struct Contribution {
  std::int64_t edges;
  Weights weights;
};

// All edges, in the order of the ranks that named them. Rank 0 collects and hands out: memory and time are proportional to the
// graph, not to the largest contribution times the number of processes (often one process names the whole graph).
std::vector<Edge> all_edges(Comm& comm, std::vector<Edge> mine, Weights weights, bool& weighted) {
  int tag = creation_tag(comm);
  std::vector<Contribution> contributions(static_cast<std::size_t>(comm.size));
  contributions[static_cast<std::size_t>(comm.rank)] = {static_cast<std::int64_t>(mine.size()), weights};
  allgather(comm, tag, contributions.data(), sizeof(Contribution));
  std::size_t total = 0;
  Weights said = Weights::kUnknown;
  for (const Contribution& one : contributions) {
    total += static_cast<std::size_t>(one.edges);
    said = std::max(said, one.weights);
  }
  weighted = said != Weights::kNone;
  std::vector<Edge> edges(total);
  if (comm.rank == 0) {
    std::size_t at = static_cast<std::size_t>(contributions[0].edges);
    std::copy(mine.begin(), mine.end(), edges.begin());
    for (int r = 1; r < comm.size; ++r) {
      auto n = static_cast<std::size_t>(contributions[static_cast<std::size_t>(r)].edges);
      if (n > 0) receive(comm, tag, edges.data() + at, n * sizeof(Edge), r);
      at += n;
    }
  } else if (!mine.empty()) {
    send(comm, tag, mine.data(), mine.size() * sizeof(Edge), 0);
  }
  broadcast(comm, tag, edges.data(), total * sizeof(Edge), 0);
  return edges;
}

}  // namespace

void dist_graph_create(Comm& comm_old, int n, const int* sources, const int* degrees, const int* destinations,
                       const int* weights, Info* info, bool, Comm*& comm_dist_graph) {
  check_intra(comm_old);
  Topology graph;
  graph.kind = kDistGraph;
  std::vector<Edge> mine = my_edges(comm_old, n, sources, degrees, destinations, weights);
  const Weights said = !is_weighted(weights) ? Weights::kNone : n > 0 || weights ? Weights::kGiven : Weights::kUnknown;
  for (const Edge& edge : all_edges(comm_old, std::move(mine), said, graph.weighted)) {
    if (edge.destination == comm_old.rank) {
      graph.sources.push_back(edge.source);
      graph.source_weights.push_back(edge.weight);
    }
    if (edge.source == comm_old.rank) {
      graph.destinations.push_back(edge.destination);
      graph.destination_weights.push_back(edge.weight);
    }
  }
  comm_dist_graph = create_all(comm_old, std::move(graph), info);
}

void dist_graph_create_adjacent(Comm& comm_old, int indegree, const int* sources, const int* sourceweights, int outdegree,
                                const int* destinations, const int* destweights, Info* info, bool, Comm*& comm_dist_graph) {
  check_intra(comm_old);
  if (indegree < 0 || outdegree < 0) fail(kErrArg, "the degrees are %d and %d, but must not be negative", indegree, outdegree);
  check_ranks(comm_old, "sources", indegree, sources);
  check_ranks(comm_old, "destinations", outdegree, destinations);
  check_weights("sourceweights", indegree, sourceweights);
  check_weights("destweights", outdegree, destweights);
  Topology graph;
  graph.kind = kDistGraph;
  graph.weighted = is_weighted(sourceweights) && is_weighted(destweights);
  graph.sources.assign(sources, sources + indegree);
  graph.destinations.assign(destinations, destinations + outdegree);
  graph.source_weights.assign(static_cast<std::size_t>(indegree), 1);
  graph.destination_weights.assign(static_cast<std::size_t>(outdegree), 1);
  if (has_values(sourceweights)) std::copy(sourceweights, sourceweights + indegree, graph.source_weights.begin());
  if (has_values(destweights)) std::copy(destweights, destweights + outdegree, graph.destination_weights.begin());
  comm_dist_graph = create_all(comm_old, std::move(graph), info);
}

void dist_graph_neighbors_count(Comm& comm, int& indegree, int& outdegree, bool& weighted) {
  const Topology& graph = topology(comm, kDistGraph);
  indegree = static_cast<int>(graph.sources.size());
  outdegree = static_cast<int>(graph.destinations.size());
  weighted = graph.weighted;
}

// Gives as many neighbours as there is room for; weights only of a weighted graph, and where the caller wants them.
void dist_graph_neighbors(Comm& comm, int maxindegree, int* sources, int* sourceweights, int maxoutdegree, int* destinations,
                          int* destweights) {
  const Topology& graph = topology(comm, kDistGraph);
  auto give = [](const std::vector<int>& from, int room, int* to) {
    std::copy_n(from.begin(), std::clamp<std::ptrdiff_t>(room, 0, std::ssize(from)), to);
  };
  give(graph.sources, maxindegree, sources);
  give(graph.destinations, maxoutdegree, destinations);
  if (graph.weighted && has_values(sourceweights)) give(graph.source_weights, maxindegree, sourceweights);
  if (graph.weighted && has_values(destweights)) give(graph.destination_weights, maxoutdegree, destweights);
}

}  // namespace starling::comm
