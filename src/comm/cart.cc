// SPDX-License-Identifier: BSD-3-Clause
// Cartesian topologies (MPI 5.0 sections 8.5.1 and 8.5.5 to 8.5.8).

#include "base/error.h"
#include "comm/create.h"
#include "comm/entry.gen.h"
#include "comm/topology.h"

namespace starling::comm {

namespace {

const char* kind_name(int kind) {
  return kind == kCart ? "a Cartesian" : kind == kGraph ? "a graph" : kind == kDistGraph ? "a distributed graph" : "any";
}

// Product of the dimensions, checked one by one.
Count grid_size(int ndims, const int* dims) {
  if (ndims < 0) fail(kErrDims, "the number of dimensions is %d", ndims);
  Count product = 1;
  for (int i = 0; i < ndims; ++i) {
    if (dims[i] <= 0) fail(kErrDims, "dimension %d is %d, but must be positive", i, dims[i]);
    if (__builtin_mul_overflow(product, Count{dims[i]}, &product)) fail(kErrDims, "the product of the dimensions is too large");
  }
  return product;
}

int check_grid(const Comm& comm, int ndims, const int* dims) {
  Count product = grid_size(ndims, dims);
  if (product > comm.size)
    fail(kErrArg, "the grid has %lld places, but the communicator only %d processes", static_cast<long long>(product),
         comm.size);
  return static_cast<int>(product);
}

void check_capacity(int max, std::size_t needed) {
  if (max < 0 || static_cast<std::size_t>(max) < needed)
    fail(kErrArg, "maxdims is %d, but the topology has %zu dimensions", max, needed);
}

}  // namespace

const Topology& topology(const Comm& comm, int kind) {
  if (comm.topology && (kind == kUndefined || comm.topology->kind == kind)) return *comm.topology;
  fail(kErrTopology, "the communicator does not have %s topology", kind_name(kind));
}

std::vector<int> coords_at(const Topology& cart, int rank) {
  std::vector<int> coords(cart.dims.size());
  for (std::size_t i = coords.size(); i-- > 0; rank /= cart.dims[i]) coords[i] = rank % cart.dims[i];
  return coords;
}

int rank_at(const Topology& cart, const int* coords) {
  int rank = 0;
  for (std::size_t i = 0; i < cart.dims.size(); ++i) {
    int c = coords[i], n = cart.dims[i];
    if (cart.periods[i])
      c = (c % n + n) % n;
    else if (c < 0 || c >= n)
      fail(kErrArg, "coordinate %zu is %d, but the dimension has %d places and is not periodic", i, c, n);
    rank = rank * n + c;
  }
  return rank;
}

int shifted(const Topology& cart, int dimension, std::int64_t displacement) {
  auto i = static_cast<std::size_t>(dimension);
  std::int64_t place = cart.coords[i] + displacement, n = cart.dims[i];
  if (!cart.periods[i] && (place < 0 || place >= n)) return kProcNull;
  std::vector<int> coords = cart.coords;
  coords[i] = static_cast<int>((place % n + n) % n);
  return rank_at(cart, coords.data());
}

Topology make_cart(std::vector<int> dims, std::vector<bool> periods, int rank) {
  Topology cart;
  cart.kind = kCart;
  cart.dims = std::move(dims);
  cart.periods = std::move(periods);
  cart.coords = coords_at(cart, rank);
  for (int i = 0; i < static_cast<int>(cart.dims.size()); ++i)
    for (int direction : {-1, 1}) cart.sources.push_back(shifted(cart, i, direction));
  cart.destinations = cart.sources;
  return cart;
}

void cart_create(Comm& comm_old, int ndims, const int* dims, const int* periods, bool, Comm*& comm_cart) {
  check_intra(comm_old);
  int places = check_grid(comm_old, ndims, dims);
  comm_cart = create_first(comm_old, places);
  if (!comm_cart) return;
  std::vector<bool> periodic(periods, periods + ndims);
  comm_cart->topology = make_held<Topology>(make_cart(std::vector<int>(dims, dims + ndims), periodic, comm_cart->rank));
}

void cart_get(Comm& comm, int maxdims, int* dims, int* periods, int* coords) {
  const Topology& cart = topology(comm, kCart);
  check_capacity(maxdims, cart.dims.size());
  for (std::size_t i = 0; i < cart.dims.size(); ++i) {
    dims[i] = cart.dims[i];
    periods[i] = cart.periods[i];
    coords[i] = cart.coords[i];
  }
}

void cartdim_get(Comm& comm, int& ndims) { ndims = static_cast<int>(topology(comm, kCart).dims.size()); }

void cart_rank(Comm& comm, const int* coords, int& rank) { rank = rank_at(topology(comm, kCart), coords); }

void cart_coords(Comm& comm, int rank, int maxdims, int* coords) {
  const Topology& cart = topology(comm, kCart);
  check_capacity(maxdims, cart.dims.size());
  if (rank < 0 || rank >= comm.size)
    fail(kErrRank, "rank %d is not in the communicator, which has %d processes", rank, comm.size);
  std::vector<int> place = coords_at(cart, rank);
  std::copy(place.begin(), place.end(), coords);
}

void cart_shift(Comm& comm, int direction, int disp, int& rank_source, int& rank_dest) {
  const Topology& cart = topology(comm, kCart);
  if (direction < 0 || static_cast<std::size_t>(direction) >= cart.dims.size())
    fail(kErrArg, "the direction is %d, but the topology has %zu dimensions", direction, cart.dims.size());
  rank_source = shifted(cart, direction, -std::int64_t{disp});
  rank_dest = shifted(cart, direction, disp);
}

// Every process knows who is in its slice: those that differ from it in the remaining dimensions only.
void cart_sub(Comm& comm, const int* remain_dims, Comm*& newcomm) {
  const Topology& cart = topology(comm, kCart);
  std::vector<int> dims;
  std::vector<bool> periods;
  std::vector<int> ranks;
  for (std::size_t i = 0; i < cart.dims.size(); ++i) {
    if (!remain_dims[i]) continue;
    dims.push_back(cart.dims[i]);
    periods.push_back(cart.periods[i]);
  }
  for (int r = 0; r < comm.size; ++r) {
    std::vector<int> place = coords_at(cart, r);
    bool same_slice = true;
    for (std::size_t i = 0; i < place.size(); ++i) same_slice = same_slice && (remain_dims[i] || place[i] == cart.coords[i]);
    if (same_slice) ranks.push_back(r);
  }
  newcomm = create_ranks(comm, ranks);
  newcomm->topology = make_held<Topology>(make_cart(std::move(dims), std::move(periods), newcomm->rank));
}

// Ranks are not reordered: rank r gets place r.
void cart_map(Comm& comm, int ndims, const int* dims, const int*, int& newrank) {
  check_intra(comm);
  newrank = comm.rank < check_grid(comm, ndims, dims) ? comm.rank : kUndefined;
}

}  // namespace starling::comm
