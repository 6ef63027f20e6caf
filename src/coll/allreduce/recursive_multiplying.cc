// SPDX-License-Identifier: BSD-3-Clause
// Recursive multiplying: as recursive doubling, but k processes exchange what they have in a step, and the groups grow k times.
// Fewer steps, more messages in each, which pays where several messages travel at a time. The largest power of k takes part;
// each of them for a run of neighbouring ranks, so that order is kept. Cost: floor(log_k p) (alpha + (k - 1) (n beta + n
// gamma)), and two more steps when p is no power of k. Ruefenacht, Bull, Booth, Parallel Computing 69, 2017.
#include "coll/allreduce/allreduce.h"
#include "coll/tree.h"

namespace starling::coll {

namespace {

// The largest power of the degree that is not above p: so many take part, each for a run of ranks, at most k of them.
struct Seats {
  Seats(int p, int k) : ranks(p) {
    for (; count * k <= p; count *= k) ++rounds;
  }
  int head(std::int64_t seat) const {
    return static_cast<int>(Partition{ranks, static_cast<int>(count)}.first(static_cast<int>(seat)));
  }
  int seat_of(int rank) const {
    int seat = static_cast<int>(rank * count / ranks);
    while (head(seat) > rank) --seat;
    while (seat + 1 < count && head(seat + 1) <= rank) ++seat;
    return seat;
  }
  int ranks;
  std::int64_t count = 1;
  Count rounds = 0;
};

// Vectors of a group of `members` in the order of ranks; that of place `own` is in `mine`, where the result shall be. The
// others are used up. From the highest down, wherever `own` is: rounding must be the same on every process.
void combine(const Ctx& c, const Op& op, const Data& others, int members, int own, const Data& mine) {
  auto of = [&](int member) { return member == own ? mine : others.part(member * mine.count, mine.count); };
  const Data result = of(members - 1);
  for (int member = members - 2; member >= 0; --member) c.reduce(op, of(member), result);
  c.copy(result, mine);
}

}  // namespace

Task allreduce_recursive_multiplying(Ctx c, ReduceArgs a) {
  const Data mine = data(a.recv, a.count, *a.type);
  if (mine.bytes() == 0) co_return;
  if (!a.in_place()) c.copy(data(a.send, a.count, *a.type), mine);
  const int degree = tree_degree();
  const Seats seats(c.size, degree);
  const int seat = seats.seat_of(c.rank), head = seats.head(seat);
  const int run = (seat + 1 < seats.count ? seats.head(seat + 1) : c.size) - head;
  if (c.rank != head) {
    co_await c.send(mine, head);
    co_await c.recv(mine, head);
    co_return;
  }
  Scratch memory(c);
  const Data others = memory.take(a.count * degree, *a.type);
  Messages batch(c, 2 * degree);
  for (int i = 1; i < run; ++i) batch.recv(others.part(i * a.count, a.count), head + i);
  co_await batch.all();
  combine(c, *a.op, others, run, 0, mine);
  for (std::int64_t distance = 1; distance < seats.count; distance *= degree) {
    const int place = static_cast<int>(seat / distance % degree);
    const std::int64_t first = seat - place * distance;
    for (int member = 0; member < degree; ++member) {
      if (member == place) continue;
      batch.recv(others.part(member * a.count, a.count), seats.head(first + member * distance));
      batch.send(mine, seats.head(first + member * distance));
    }
    co_await batch.all();
    combine(c, *a.op, others, degree, place, mine);
  }
  for (int i = 1; i < run; ++i) batch.send(mine, head + i);
  co_await batch.all();
}

Traffic allreduce_recursive_multiplying_traffic(const Load& load) {
  const int degree = tree_degree();
  const Seats seats(load.ranks, degree);
  const Count messages = 2 * (load.ranks - seats.count) + seats.count * seats.rounds * (degree - 1);
  return {messages, messages * load.bytes};
}

}  // namespace starling::coll
