// SPDX-License-Identifier: BSD-3-Clause
#include "topology.h"

#include <cstdio>

#include "datatype.h"
#include "omb.h"

namespace omb {
namespace {

constexpr size_t kMostEdges = 500;

// In every dimension of a periodic grid, all within `radius` steps on both sides.
void cartesian_neighbours(const Run& run, std::vector<int>& dimensions, Topology& topology) {
  std::vector<int> periodic(dimensions.size(), 1);
  MPI_Comm grid;
  MPI_Dims_create(run.size, static_cast<int>(dimensions.size()), dimensions.data());
  MPI_Cart_create(run.comm, static_cast<int>(dimensions.size()), dimensions.data(), periodic.data(), 0, &grid);
  for (size_t dimension = 0; dimension < dimensions.size(); ++dimension)
    for (int distance = 1; distance <= run.options.radius; ++distance) {
      int below, above;
      MPI_Cart_shift(grid, static_cast<int>(dimension), distance, &below, &above);
      topology.sources.insert(topology.sources.end(), {below, above});
      topology.destinations.insert(topology.destinations.end(), {above, below});
    }
  MPI_Comm_free(&grid);
}

void graph_neighbours(Run& run, Topology& topology) {
  std::vector<IndexBlock> edges;
  std::string problem = read_pairs(run.options.graph_file, kMostEdges, edges);
  for (const IndexBlock& edge : edges) {
    if (edge.displacement >= run.size || edge.length >= run.size) problem = "names a rank that there is not";
    if (edge.displacement == run.rank) topology.destinations.push_back(edge.length);
    if (edge.length == run.rank) topology.sources.push_back(edge.displacement);
  }
  if (!problem.empty()) quit(run, EXIT_FAILURE, "The graph file '" + run.options.graph_file + "' " + problem);
}

}  // namespace

void make_topology(Run& run) {
  auto topology = std::make_unique<Topology>();
  std::vector<int> dimensions(static_cast<size_t>(run.options.dimensions));
  const bool cartesian = run.options.neighbours == Neighbours::kCartesian;
  if (cartesian)
    cartesian_neighbours(run, dimensions, *topology);
  else
    graph_neighbours(run, *topology);

  MPI_Barrier(run.comm);
  const double start = MPI_Wtime();
  MPI_Dist_graph_create_adjacent(run.comm, static_cast<int>(topology->sources.size()), topology->sources.data(), MPI_UNWEIGHTED,
                                 static_cast<int>(topology->destinations.size()), topology->destinations.data(), MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &topology->comm);
  const double average = reduce(run, (MPI_Wtime() - start) * 1e6, MPI_SUM) / run.size;
  run.topology = std::move(topology);
  if (!run.root()) return;
  if (cartesian) {
    std::printf("Dimensions size = ");
    for (int width : dimensions) std::printf("%d ", width);
    std::printf("\n");
  }
  std::printf("Time took to create topology graph:%.2f us.\n", average);
}

}  // namespace omb
