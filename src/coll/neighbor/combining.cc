// SPDX-License-Identifier: BSD-3-Clause
// Message combining: all edges between the same two processes go in one message, packed in the order of edges. In an allgather
// all of them carry the same data, which is sent only once. Cost: d alpha + n beta for d neighbouring processes, however many
// edges. The idea after Traeff, Carpen-Amarie, Hunold, Rougier, "Message-combining algorithms for isomorphic, sparse collective
// communication", 2016.
//
// How edges find their counterparts is told in linear.cc.
#include <algorithm>

#include "coll/neighbor/neighbor.h"
#include "comm/topology.h"

namespace starling::coll {

namespace {

// The distinct processes in a list of neighbours, in the order in which they first occur.
class Peers {
 public:
  Peers(const Ctx& c, const std::vector<int>& neighbours) : ranks_(c, static_cast<Count>(neighbours.size())) {
    for (int rank : neighbours)
      if (rank != kProcNull && std::find(ranks_.begin(), ranks_.begin() + count_, rank) == ranks_.begin() + count_)
        ranks_[count_++] = rank;
  }
  int count() const { return count_; }
  int operator[](int i) const { return ranks_[i]; }

 private:
  ScratchArray<int> ranks_;
  int count_ = 0;
};

int at(const std::vector<int>& list, int i) { return list[static_cast<std::size_t>(i)]; }

// Copies all blocks between this process and `peer` from the packed form at `offset`, or to it; returns where it ends.
// `edges` has the neighbour of each block; `flip` is 1 if edges are met in opposite directions (Cartesian receives).
template <class Copy>
Count for_blocks(const std::vector<int>& edges, int peer, int flip, const Blocks& blocks, Count offset, Copy&& copy) {
  for (int i = 0; i < static_cast<int>(edges.size()); ++i) {
    const int edge = i ^ flip;
    if (at(edges, edge) != peer) continue;
    copy(blocks[edge], offset);
    offset += blocks.bytes(edge);
  }
  return offset;
}

Count bytes_of(const Blocks& blocks, const std::vector<int>& edges) {
  Count sum = 0;
  for (int i = 0; i < static_cast<int>(edges.size()); ++i) sum += at(edges, i) == kProcNull ? 0 : blocks.bytes(i);
  return sum;
}

}  // namespace

Task neighbor_allgather_combining(Ctx c, AllgatherArgs a) {
  const Topology& topology = *c.comm->topology;
  const Peers from(c, topology.sources), to(c, topology.destinations);
  auto first_edge = [&](int peer) {
    return static_cast<int>(std::find(topology.sources.begin(), topology.sources.end(), peer) - topology.sources.begin());
  };
  Messages all(c, from.count() + to.count());
  for (int i = 0; i < from.count(); ++i) all.recv(a.recv[first_edge(from[i])], from[i]);
  for (int i = 0; i < to.count(); ++i) all.send(a.send, to[i]);
  co_await all.all();
  for (int edge = 0; edge < static_cast<int>(topology.sources.size()); ++edge) {
    const int peer = at(topology.sources, edge);
    if (peer != kProcNull && first_edge(peer) != edge) c.copy(a.recv[first_edge(peer)], a.recv[edge]);
  }
}

Task neighbor_alltoall_combining(Ctx c, AlltoallArgs a) {
  const Topology& topology = *c.comm->topology;
  const Peers from(c, topology.sources), to(c, topology.destinations);
  const int flip = topology.kind == kCart ? 1 : 0;
  Scratch out(c, bytes_of(a.send, topology.destinations)), in(c, bytes_of(a.recv, topology.sources));
  auto nothing = [](const Data&, Count) {};
  auto pack = [&](const Data& block, Count offset) { c.copy(block, out.raw(offset, block.bytes())); };
  auto unpack = [&](const Data& block, Count offset) { c.copy(in.raw(offset, block.bytes()), block); };
  Messages all(c, from.count() + to.count());
  Count first = 0;
  for (int i = 0; i < from.count(); ++i) {
    const Count end = for_blocks(topology.sources, from[i], flip, a.recv, first, nothing);
    all.recv(in.raw(first, end - first), from[i]);
    first = end;
  }
  first = 0;
  for (int i = 0; i < to.count(); ++i) {
    const Count end = for_blocks(topology.destinations, to[i], 0, a.send, first, pack);
    all.send(out.raw(first, end - first), to[i]);
    first = end;
  }
  co_await all.all();
  first = 0;
  for (int i = 0; i < from.count(); ++i) first = for_blocks(topology.sources, from[i], flip, a.recv, first, unpack);
}

}  // namespace starling::coll
