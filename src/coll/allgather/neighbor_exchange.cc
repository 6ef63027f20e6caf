// SPDX-License-Identifier: BSD-3-Clause
// Neighbour exchange: pairs of neighbours exchange their blocks; then every process passes what it got last, two blocks, on to
// the other neighbour, in turns to both sides. Half the steps of the ring, for an even number of processes. Cost: p / 2 alpha +
// n (p - 1) / p beta, n the size of the result. Chen, Zhang, Zhang, Yuan, "Performance evaluation of allgather algorithms on
// terascale Linux cluster with fast Ethernet", HPC Asia 2005.
#include "coll/allgather/allgather.h"

namespace starling::coll {

namespace {

// Blocks 2 pair and 2 pair + 1: one message where they lie side by side.
void send_pair(Messages& batch, const Blocks& blocks, int pair, int to) {
  if (blocks.uniform()) return batch.send(data(blocks[2 * pair].address, 2 * blocks.count, *blocks.type), to);
  for (int i = 2 * pair; i < 2 * pair + 2; ++i) batch.send(blocks[i], to);
}
void recv_pair(Messages& batch, const Blocks& blocks, int pair, int from) {
  if (blocks.uniform()) return batch.recv(data(blocks[2 * pair].address, 2 * blocks.count, *blocks.type), from);
  for (int i = 2 * pair; i < 2 * pair + 2; ++i) batch.recv(blocks[i], from);
}

}  // namespace

Task allgather_neighbor_exchange(Ctx c, AllgatherArgs a) {
  if (!a.send.in_place()) c.copy(a.send, a.recv[c.rank]);
  const bool even = c.rank % 2 == 0;
  const int right = (c.rank + 1) % c.size, left = (c.rank - 1 + c.size) % c.size;
  const int first = even ? right : left, second = even ? left : right;
  Messages batch(c, 4);
  batch.recv(a.recv[first], first);
  batch.send(a.recv[c.rank], first);
  co_await batch.all();
  // What both neighbours have of each pair: step by step the pairs come from further away, alternately from either side.
  const int pairs = c.size / 2, own = c.rank / 2;
  int latest = own;
  for (int step = 1; step < pairs; ++step) {
    const int partner = step % 2 == 1 ? second : first;
    const int away = (step + 1) / 2;  // an even rank hears from its left first
    const bool from_left = (step % 2 == 1) == even;
    const int coming = ((from_left ? own - away : own + away) % pairs + pairs) % pairs;
    recv_pair(batch, a.recv, coming, partner);
    send_pair(batch, a.recv, latest, partner);
    co_await batch.all();
    latest = coming;
  }
}

Traffic allgather_neighbor_exchange_traffic(const Load& load) {
  const Count p = load.ranks;
  return {p * (p / 2), (p - 1) * load.bytes};
}

}  // namespace starling::coll
