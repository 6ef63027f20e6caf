// SPDX-License-Identifier: BSD-3-Clause
// Scatter and ring allgather: the root spreads p pieces down a binomial tree, and a ring brings each piece to everybody. Every
// process sends and receives about n bytes once more, whatever p. Cost: (ceil(log2 p) + p - 1) alpha + 2 n (p - 1) / p beta.
// Barnett, Gupta, Payne, Shuler, van de Geijn, Watts, "Interprocessor collective communication library", SHPCC 1994.
#include <algorithm>

#include "coll/bcast/bcast.h"

namespace starling::coll {

namespace {

// Pieces first ... last - 1 of the message.
Data pieces(void* message, const Partition& cut, int first, int last) {
  return raw(shifted(message, cut.first(first)), cut.first(last) - cut.first(first));
}

Task scatter_pieces(Ctx c, void* message, Partition cut, int root) {
  const int relative = (c.rank - root + c.size) % c.size;
  int distance = 1;
  while (distance < c.size && !(relative & distance)) distance *= 2;
  const int end = std::min(relative + distance, c.size);  // of the pieces that this process and its children get
  if (relative != 0) co_await c.recv(pieces(message, cut, relative, end), (c.rank - distance + c.size) % c.size);
  for (distance /= 2; distance > 0; distance /= 2) {
    const int child = relative + distance;
    if (child >= c.size) continue;
    co_await c.send(pieces(message, cut, child, std::min(child + distance, c.size)), (c.rank + distance) % c.size);
  }
}

}  // namespace

Task bcast_scatter_ring_allgather(Ctx c, BcastArgs a) {
  const int relative = (c.rank - a.root + c.size) % c.size;
  const Partition cut{a.data.bytes(), c.size};
  Scratch packed(c);
  Data message = raw(shifted(a.data.address, a.data.type->true_lb), a.data.bytes());
  if (!a.data.type->contiguous) {
    message = raw(packed.take(a.data.bytes()), a.data.bytes());
    if (relative == 0) c.copy(a.data, message);
  }
  co_await scatter_pieces(c, message.address, cut, a.root);
  const int right = (c.rank + 1) % c.size, left = (c.rank - 1 + c.size) % c.size;
  for (int step = 0; step < c.size - 1; ++step) {
    const int out = (relative - step + c.size) % c.size, in = (relative - step - 1 + c.size) % c.size;
    co_await c.sendrecv(pieces(message.address, cut, out, out + 1), right, pieces(message.address, cut, in, in + 1), left);
  }
  if (!a.data.type->contiguous && relative != 0) c.copy(message, a.data);
}

}  // namespace starling::coll
