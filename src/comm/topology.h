// SPDX-License-Identifier: BSD-3-Clause
// Virtual topologies (MPI 5.0 chapter 8): who neighbours whom on a communicator.
#pragma once

#include <vector>

#include "base/constants.gen.h"
#include "base/types.h"

namespace starling {

struct Comm;

// Immutable once attached to a communicator.
struct Topology {
  int kind = kUndefined;  // kCart, kGraph or kDistGraph

  // Cartesian; row-major: the last coordinate changes fastest.
  std::vector<int> dims;
  std::vector<bool> periods;
  std::vector<int> coords;  // of this process

  // Graph: neighbours of node r are edges[index[r - 1]] to edges[index[r] - 1], as given by the user.
  std::vector<int> index;
  std::vector<int> edges;

  // Neighbours of this process in the order of the neighbourhood collectives (8.6), for every kind. For a Cartesian topology
  // the two of dimension 0 first, each negative then positive direction, kProcNull beyond a border; otherwise as told by the
  // user.
  std::vector<int> sources;
  std::vector<int> destinations;

  // Distributed graph: one weight per source and destination if weighted.
  bool weighted = false;
  std::vector<int> source_weights;
  std::vector<int> destination_weights;
};

namespace comm {

// The topology of a communicator. Throws Error(kErrTopology) if it has none or, unless `kind` is kUndefined, one of another
// kind.
const Topology& topology(const Comm& comm, int kind = kUndefined);

// Row-major arithmetic. rank_at: coordinates of periodic dimensions may be anything; throws Error(kErrArg) for one outside of
// another.
std::vector<int> coords_at(const Topology& cart, int rank);
int rank_at(const Topology& cart, const int* coords);
// The rank `displacement` steps along a dimension; kProcNull beyond a border.
int shifted(const Topology& cart, int dimension, std::int64_t displacement);

// The Cartesian topology of the process of this rank.
Topology make_cart(std::vector<int> dims, std::vector<bool> periods, int rank);

}  // namespace comm
}  // namespace starling
