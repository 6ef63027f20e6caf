// SPDX-License-Identifier: BSD-3-Clause
// Graph and distributed graph topologies, and the neighbourhood collectives on all three kinds, in all three forms.
#include "../check.h"

static void graph(void) {
  // A star: rank 0 knows everybody, the others know rank 0.
  int* index = check_alloc((size_t)check_size * sizeof(int));
  int* edges = check_alloc((size_t)(2 * check_size) * sizeof(int));
  int count = 0, kind, nodes, total;
  for (int i = 1; i < check_size; i++) edges[count++] = i;
  index[0] = count;
  for (int i = 1; i < check_size; i++) edges[count++] = 0, index[i] = count;
  MPI_Comm comm;
  CHECK_OK(MPI_Graph_create(MPI_COMM_WORLD, check_size, index, edges, 0, &comm));
  CHECK_OK(MPI_Topo_test(comm, &kind));
  CHECK_EQ(kind, MPI_GRAPH);
  CHECK_OK(MPI_Graphdims_get(comm, &nodes, &total));
  CHECK_EQ(nodes, check_size);
  CHECK_EQ(total, count);
  int* got_index = check_alloc((size_t)check_size * sizeof(int));
  int* got_edges = check_alloc((size_t)(2 * check_size) * sizeof(int));
  CHECK_OK(MPI_Graph_get(comm, check_size, count, got_index, got_edges));
  CHECK_BYTES(got_index, index, (size_t)check_size * sizeof(int));
  CHECK_BYTES(got_edges, edges, (size_t)count * sizeof(int));
  int neighbours = -1;
  CHECK_OK(MPI_Graph_neighbors_count(comm, 0, &neighbours));
  CHECK_EQ(neighbours, check_size - 1);
  CHECK_OK(MPI_Graph_neighbors(comm, 0, neighbours, got_edges));
  for (int i = 0; i < neighbours; i++) CHECK_EQ(got_edges[i], i + 1);
  CHECK_OK(MPI_Graph_neighbors_count(comm, check_size - 1, &neighbours));
  CHECK_EQ(neighbours, check_size > 1);
  // Each rank gathers its neighbours' ranks.
  int degree = check_rank ? 1 : check_size - 1;
  CHECK_OK(MPI_Neighbor_allgather(&check_rank, 1, MPI_INT, got_edges, 1, MPI_INT, comm));
  for (int i = 0; i < degree; i++) CHECK_EQ(got_edges[i], check_rank ? 0 : i + 1);
  CHECK_OK(MPI_Comm_free(&comm));
  free(got_edges), free(got_index), free(edges), free(index);
}

// Everybody points at the next two, given either by each for itself or all by rank 0.
static void distributed_graph(void) {
  for (int central = 0; central < 2; central++) {
    int n = central ? (check_rank == 0 ? check_size : 0) : 1;
    int* sources = check_alloc((size_t)check_size * sizeof(int));
    int* degrees = check_alloc((size_t)check_size * sizeof(int));
    int* targets = check_alloc((size_t)(2 * check_size) * sizeof(int));
    int* weights = check_alloc((size_t)(2 * check_size) * sizeof(int));
    for (int i = 0; i < n; i++) {
      sources[i] = central ? i : check_rank;
      degrees[i] = 2;
      for (int k = 0; k < 2; k++)
        targets[2 * i + k] = (sources[i] + 1 + k) % check_size, weights[2 * i + k] = 10 * sources[i] + k;
    }
    MPI_Comm comm;
    CHECK_OK(MPI_Dist_graph_create(MPI_COMM_WORLD, n, sources, degrees, targets, weights, MPI_INFO_NULL, 0, &comm));
    int in = -1, out = -1, weighted = -1, in_ranks[2], in_weights[2], out_ranks[2], out_weights[2];
    CHECK_OK(MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted));
    CHECK_EQ(in, 2);
    CHECK_EQ(out, 2);
    CHECK_EQ(!!weighted, 1);
    CHECK_OK(MPI_Dist_graph_neighbors(comm, 2, in_ranks, in_weights, 2, out_ranks, out_weights));
    int seen = 0;
    for (int k = 0; k < 2; k++) {
      int distance = out_weights[k] - 10 * check_rank;  // 0 or 1: which of the two edges
      CHECK(distance == 0 || distance == 1);
      seen |= 1 << distance;
      CHECK_EQ(out_ranks[k], (check_rank + 1 + distance) % check_size);
      distance = in_weights[k] - 10 * in_ranks[k];
      CHECK_EQ((in_ranks[k] + 1 + distance) % check_size, check_rank);
    }
    CHECK_EQ(seen, 3);
    CHECK_OK(MPI_Comm_free(&comm));
    free(weights), free(targets), free(degrees), free(sources);
  }
}

static void unweighted_and_empty(void) {
  int next = (check_rank + 1) % check_size, previous = (check_rank + check_size - 1) % check_size, in, out, weighted;
  MPI_Comm comm;
  CHECK_OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &previous, MPI_UNWEIGHTED, 1, &next, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                          0, &comm));
  CHECK_OK(MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted));
  CHECK_EQ(weighted, 0);
  CHECK_OK(MPI_Comm_free(&comm));
  // Only rank 0 sends, only the last receives; the others have no edges at all.
  int last = check_size - 1, zero = 0, one[1] = {1};
  int receives = check_rank == last, sends = check_rank == 0;
  CHECK_OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, receives, &zero, receives ? one : MPI_WEIGHTS_EMPTY, sends, &last,
                                          sends ? one : MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &comm));
  CHECK_OK(MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted));
  CHECK_EQ(in, receives);
  CHECK_EQ(out, sends);
  int value = check_rank + 50, got = -1;
  CHECK_OK(MPI_Neighbor_alltoall(&value, 1, MPI_INT, &got, 1, MPI_INT, comm));
  CHECK_EQ(got, receives ? 50 : -1);
  CHECK_OK(MPI_Comm_free(&comm));
  // Nobody says anything of weights: MPI_UNWEIGHTED has not been said.
  CHECK_OK(MPI_Dist_graph_create(MPI_COMM_WORLD, 0, NULL, NULL, NULL, NULL, MPI_INFO_NULL, 0, &comm));
  CHECK_OK(MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted));
  CHECK_EQ(weighted, 1);
  CHECK_OK(MPI_Comm_free(&comm));
}

typedef enum { kBlocking, kNonblocking, kPersistent, kForms } Form;

#if MPI_VERSION >= 4
#define PERSISTENT(Name, ...)                                             \
  do {                                                                    \
    MPI_Request r;                                                        \
    CHECK_OK(MPI_Neighbor_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, &r)); \
    for (int turn = 0; turn < 2; turn++) {                                \
      CHECK_OK(MPI_Start(&r));                                            \
      CHECK_OK(MPI_Wait(&r, MPI_STATUS_IGNORE));                          \
    }                                                                     \
    CHECK_OK(MPI_Request_free(&r));                                       \
  } while (0)
#else
#define PERSISTENT(Name, ...) CHECK_OK(MPI_Neighbor_##Name(__VA_ARGS__))
#endif

#define NEIGHBOR(form, Name, ...)                            \
  do {                                                       \
    MPI_Request request;                                     \
    if ((form) == kBlocking) {                               \
      CHECK_OK(MPI_Neighbor_##Name(__VA_ARGS__));            \
    } else if ((form) == kNonblocking) {                     \
      CHECK_OK(MPI_Ineighbor_##Name(__VA_ARGS__, &request)); \
      CHECK_OK(MPI_Wait(&request, MPI_STATUS_IGNORE));       \
    } else {                                                 \
      PERSISTENT(Name, __VA_ARGS__);                         \
    }                                                        \
  } while (0)

// A message from rank `from` over its out-edge `edge` holds these; `i` counts ints.
static int value(int from, int edge, int i) { return from * 10000 + edge * 100 + i; }

enum { kMaxDegree = 6, kBlock = 3 };

// `sources[k]` and `edges[k]` say which rank, and which of its out-edges, in-neighbour k is; PROC_NULL for none.
static void all_neighbor_collectives(MPI_Comm comm, int in, const int* sources, const int* edges, int out) {
  int sent[kMaxDegree * kBlock * 2], got[kMaxDegree * kBlock * 2];
  int counts[kMaxDegree], places[kMaxDegree], send_counts[kMaxDegree], send_places[kMaxDegree];
  MPI_Aint in_bytes[kMaxDegree], out_bytes[kMaxDegree];
  MPI_Datatype types[kMaxDegree];
  for (int form = kBlocking; form < kForms; form++) {
    for (int k = 0; k < out * kBlock; k++) sent[k] = value(check_rank, k / kBlock, k % kBlock);
    memset(got, 0xff, sizeof got);
    NEIGHBOR(form, alltoall, sent, kBlock, MPI_INT, got, kBlock, MPI_INT, comm);
    for (int k = 0; k < in * kBlock; k++) {
      int from = sources[k / kBlock];
      CHECK_EQ(got[k], from == MPI_PROC_NULL ? -1 : value(from, edges[k / kBlock], k % kBlock));
    }
    memset(got, 0xff, sizeof got);
    NEIGHBOR(form, allgather, sent, 1, MPI_INT, got, 1, MPI_INT, comm);
    for (int k = 0; k < in; k++) CHECK_EQ(got[k], sources[k] == MPI_PROC_NULL ? -1 : value(sources[k], 0, 0));
    // The vector forms leave a gap between blocks, the last block first.
    for (int k = 0; k < kMaxDegree; k++) {
      counts[k] = send_counts[k] = kBlock;
      places[k] = (in - 1 - k) * (kBlock + 1);
      send_places[k] = k * kBlock;
      in_bytes[k] = places[k] * (MPI_Aint)sizeof(int);
      out_bytes[k] = send_places[k] * (MPI_Aint)sizeof(int);
      types[k] = MPI_INT;
    }
    memset(got, 0xff, sizeof got);
    NEIGHBOR(form, allgatherv, sent, kBlock, MPI_INT, got, counts, places, MPI_INT, comm);
    for (int k = 0; k < in * kBlock; k++) {
      int from = sources[k / kBlock];
      CHECK_EQ(got[places[k / kBlock] + k % kBlock], from == MPI_PROC_NULL ? -1 : value(from, 0, k % kBlock));
    }
    for (int w = 0; w < 2; w++) {
      memset(got, 0xff, sizeof got);
      if (w) {
        NEIGHBOR(form, alltoallw, sent, send_counts, out_bytes, types, got, counts, in_bytes, types, comm);
      } else {
        NEIGHBOR(form, alltoallv, sent, send_counts, send_places, MPI_INT, got, counts, places, MPI_INT, comm);
      }
      for (int k = 0; k < in * kBlock; k++) {
        int from = sources[k / kBlock];
        CHECK_EQ(got[places[k / kBlock] + k % kBlock], from == MPI_PROC_NULL ? -1 : value(from, edges[k / kBlock], k % kBlock));
      }
    }
  }
}

// Cartesian neighbours: for each dimension the one below, then the one above. What arrives from below was sent upwards. With a
// periodic dimension of size 1 or 2 a rank is its own neighbour, or has one neighbour twice.
static void on_grids(void) {
  for (int periodic = 0; periodic < 4; periodic++) {
    int dims[2] = {0, 0}, periods[2] = {periodic & 1, periodic >> 1}, sources[4], edges[4];
    MPI_Comm comm;
    CHECK_OK(MPI_Dims_create(check_size, 2, dims));
    CHECK_OK(MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm));
    for (int d = 0; d < 2; d++) {
      CHECK_OK(MPI_Cart_shift(comm, d, 1, &sources[2 * d], &sources[2 * d + 1]));
      edges[2 * d] = 2 * d + 1;
      edges[2 * d + 1] = 2 * d;
    }
    all_neighbor_collectives(comm, 4, sources, edges, 4);
    CHECK_OK(MPI_Comm_free(&comm));
  }
}

// In-degree 3, out-degree 3, in an order of their own.
static void on_distributed_graphs(void) {
  static const int steps[3] = {2, 0, 1};
  int sources[3], targets[3], edges[3] = {0, 1, 2};
  MPI_Comm comm;
  for (int k = 0; k < 3; k++) {
    targets[k] = (check_rank + steps[k]) % check_size;
    sources[k] = (check_rank + 2 * check_size - steps[k]) % check_size;
  }
  CHECK_OK(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, sources, MPI_UNWEIGHTED, 3, targets, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                          0, &comm));
  all_neighbor_collectives(comm, 3, sources, edges, 3);
  CHECK_OK(MPI_Comm_free(&comm));
}

static const CheckCase kCases[] = {
    {"graph", graph, 0},
    {"distributed graph", distributed_graph, 0},
    {"without weights, without edges", unweighted_and_empty, 0},
    {"neighbourhood collectives on grids", on_grids, 0},
    {"neighbourhood collectives on graphs", on_distributed_graphs, 0},
};
CHECK_MAIN(kCases)
