// SPDX-License-Identifier: BSD-3-Clause
#include "coll/board.h"

#include <sched.h>

#include <algorithm>
#include <new>

#include "coll/bcast/bcast.h"
#include "coll/plan.h"
#include "memory/heap.h"

namespace starling::coll {

Board::~Board() {
  if (state == State::kReady) head().left.fetch_add(1, std::memory_order_acq_rel);  // the last access of this member
}

std::uint32_t Board::find_free(const Comm& comm) const {
  const JobMapping& job = worker.job;
  for (std::uint32_t number = 0; number < kBoardsPerRank; ++number) {
    std::byte* at = job.board(worker.self(), number);
    BoardHead& old = *reinterpret_cast<BoardHead*>(at);
    const std::uint32_t users = old.members.load(std::memory_order_relaxed);
    if (old.left.load(std::memory_order_acquire) != users) continue;
    // Nobody looks at it any more. The message with the number orders what follows before the accesses of the others.
    const std::uint64_t next_epoch = old.epoch + (std::uint64_t{1} << 40);
    new (at) BoardHead{};
    old.epoch = next_epoch;
    old.marked = !worker.cores_shared;
    for (int member = 0; member < comm.size; ++member) {
      new (at + kBoardHeadBytes + static_cast<std::size_t>(member) * sizeof(std::uint16_t)) std::atomic<std::uint16_t>{0};
      new (at + front + static_cast<std::size_t>(member) * sizeof(Member)) Member{};
    }
    old.members.store(static_cast<std::uint32_t>(comm.size), std::memory_order_relaxed);
    return number;
  }
  return kNoBoard;
}

void Board::attach(const Comm& comm, std::uint32_t number) {
  base = worker.job.board(comm.peer(0), number);
  marked = head().marked;
  epoch = head().epoch;
  for (int member = 0; member < members; ++member) bells.push_back(&worker.job.slot(comm.peer(member)).sleeping);
}

void Board::probe(Comm& comm, std::uint64_t address) {
  std::uint64_t word;
  Endpoint& leader = worker.endpoint(comm.peer(0));
  if (rank != 0 && !(leader.direct && leader.get(&word, address, sizeof word)))
    head().refused.store(1, std::memory_order_relaxed);
  // acq_rel: who sees all probes sees every refusal.
  if (head().probed.fetch_add(1, std::memory_order_acq_rel) + 1 == static_cast<std::uint32_t>(members))
    for (auto* bell : bells) doorbell::ring(*bell);
}

[[gnu::hot]] bool Board::lacks_this_core(int whom, std::uint64_t number) const {
  const auto here = static_cast<std::uint16_t>(sched_getcpu() + 1);
  if (cpu(rank).load(std::memory_order_relaxed) != here) cpu(rank).store(here, std::memory_order_relaxed);
  const auto may_be_here = [&](int member) {
    const std::uint16_t there = cpu(member).load(std::memory_order_relaxed);
    return there == here || there == 0;
  };
  if (whom != kAll) return may_be_here(whom);
  for (int other = 0; other < members; ++other)
    if (other != rank && may_be_here(other) && member(other).arrived.load(std::memory_order_relaxed) <= number) return true;
  return false;
}

[[gnu::hot]] bool Board::all_done(std::uint64_t before) {
  if (known_done >= before) return true;
  std::uint64_t least = finished;
  for (int member = 0; member < members; ++member)
    least = std::min(least, this->member(member).done.load(std::memory_order_acquire));
  known_done = least;
  return least >= before;
}

[[gnu::hot]] void Board::finish(std::uint64_t number) {
  if (number != finished) {
    finished_beyond |= std::uint64_t{1} << (number - finished - 1);
    return;
  }
  for (bool next_too = true; next_too; finished_beyond >>= 1) {
    ++finished;
    next_too = finished_beyond & 1;
  }
  member(rank).done.store(finished, std::memory_order_release);
  if (doorbell::look(head().waiting) > 0) [[unlikely]]
    for (auto* bell : bells) doorbell::ring(*bell);
}

Task attach_board(Ctx c, Step* step) {
  Board& board = step->board_;
  if (board.state == Board::State::kNew) {
    board.state = Board::State::kAsking;
    struct News {
      std::uint64_t number, address;
    } news{c.rank == 0 ? board.find_free(*c.comm) : kNoBoard, reinterpret_cast<std::uint64_t>(&board)};
    BcastArgs args{raw(&news, sizeof news), 0};
    co_await bcast_binomial(c, args);
    if (news.number == kNoBoard) {
      board.state = Board::State::kNone;
      co_return;
    }
    board.attach(*c.comm, static_cast<std::uint32_t>(news.number));
    board.probe(*c.comm, news.address);
    Step::Wait probed{step, &Step::is_probed};
    co_await probed;
    board.direct = board.head().refused.load(std::memory_order_relaxed) == 0;
    board.state = Board::State::kReady;
  } else {
    // The operation that asks is a non-blocking one; progress ends it.
    Step::Wait resolved{step, &Step::is_resolved};
    co_await resolved;
  }
}

namespace {

Board& board_of(const Ctx& c) {
  auto& board = state_of(*c.comm).boards[c.run->blocking ? 0 : 1];
  if (!board) board = std::make_unique<Board>(*c.comm);
  return *board;
}

}  // namespace

[[gnu::hot]] Step::Step(const Ctx& c) : board_(board_of(c)), run_(*c.run), number_(board_.next++) {}

void Step::offer(const Ctx& c, Data what) const {
  const Count bytes = what.bytes(), room = kSlotRoom - static_cast<Count>(sizeof(Place));
  if (bytes > room || memory::in_heap(what.address)) return publish(c, what.address, bytes);
  publish(c, nullptr, bytes);
  c.copy(what, raw(slot(c.rank) + sizeof(Place), bytes));
}

void Step::fetch(const Ctx& c, int member, Count offset, Data to) const {
  const Place from = place(member);
  const Count bytes = std::min(to.bytes(), from.bytes - offset);
  if (bytes <= 0) return;
  const std::uint64_t address = from.address + static_cast<std::uint64_t>(offset);
  if (from.address == 0) {
    c.copy(raw(slot(member) + sizeof(Place) + offset, bytes), to);
  } else if (member == c.rank) {
    c.copy(raw(reinterpret_cast<void*>(address), bytes), to);
  } else {
    Endpoint& peer = board_.worker.endpoint(c.comm->peer(member));
    const auto length = static_cast<std::size_t>(bytes);
    const std::byte* mapped = run_.past_caches ? peer.map(address, length) : nullptr;
    if (mapped) return memory::copy_past_caches(to.address, mapped, length);
    if (!peer.get(to.address, address, length)) run_.note(kErrBuffer);  // permitted, but the memory is not there
  }
}

void Step::put(const Ctx& c, int member, Count offset, Data from) const {
  const std::uint64_t address = place(member).address + static_cast<std::uint64_t>(offset);
  const auto bytes = static_cast<std::size_t>(from.bytes());
  if (bytes == 0) return;
  Endpoint& peer = board_.worker.endpoint(c.comm->peer(member));
  std::byte* mapped = run_.past_caches ? peer.map(address, bytes) : nullptr;
  if (mapped) return memory::copy_past_caches(mapped, from.address, bytes);
  if (!peer.put(from.address, address, bytes)) run_.note(kErrBuffer);
}

void* Step::look(const Ctx& c, int member, Count offset, Data room) const {
  const Place from = place(member);
  if (from.address == 0) return slot(member) + sizeof(Place) + offset;
  const std::uint64_t address = from.address + static_cast<std::uint64_t>(offset);
  if (member == c.rank) return reinterpret_cast<void*>(address);
  std::byte* mapped = board_.worker.endpoint(c.comm->peer(member)).map(address, static_cast<std::size_t>(room.bytes()));
  if (mapped) return mapped;
  fetch(c, member, offset, room);
  return room.address;
}

[[gnu::hot]] bool Step::Wait::await_ready() const {
  if ((step->*holds)()) return true;
  if (!step->run_.blocking) return false;
  step->run_.worker.wait_for_memory([this] { return (step->*holds)(); },
                                    [this] { return step->board_.lacks_this_core(whom, step->number_); });
  return true;
}

void Step::Wait::await_suspend(std::coroutine_handle<> waiter) const {
  step->holds_ = holds;
  step->waiter_ = waiter;
  step->run_.worker.add_poller({&Step::poll, step});
}

bool Step::poll(void* self) {
  Step& step = *static_cast<Step*>(self);
  if (!(step.*step.holds_)()) return false;
  step.run_.worker.remove_poller({&Step::poll, self});
  step.run_.worker.make_ready(step.waiter_);
  return true;
}

[[gnu::hot]] bool Step::is_open() {
  const std::uint64_t before = number_ < kBoardCells ? 0 : number_ - kBoardCells + 1;
  bool open = board_.all_done(before);
  if (!open && !counted_) {
    board_.head().waiting.fetch_add(1, std::memory_order_acq_rel);
    counted_ = true;
    open = board_.all_done(before);
  }
  if (open && counted_) {
    board_.head().waiting.fetch_sub(1, std::memory_order_acq_rel);
    counted_ = false;
  }
  return open;
}

[[gnu::hot]] bool Step::is_released() {
  if (cell().released.load(std::memory_order_acquire) != number_ + 1) return false;
  if (arrived_ && cell().late.load(std::memory_order_relaxed) != number_ + 1)
    board_.known_done = std::max(board_.known_done, number_);
  return true;
}

[[gnu::hot]] bool Step::is_marked_by_all() {
  for (; seen_ < board_.members; ++seen_) {
    const bool self = seen_ == board_.rank;
    if (!self && !is_marked(seen_)) return false;
    most_behind_ = std::max(most_behind_, self ? behind() : head(seen_).behind);
  }
  board_.known_done = std::max(board_.known_done, number_ - most_behind_);
  return true;
}

// As the last one to arrive, so that whoever waits for others need not count itself.
[[gnu::hot]] bool Step::is_complete() {
  if (arrived_) return true;
  if (cell().arrived.load(std::memory_order_acquire) != awaited_) return false;
  count_in();
  return true;
}

[[gnu::hot]] Step::Wait Step::all_others_arrived() {
  if (board_.marked) return {this, &Step::is_marked_by_all};
  // Every operation that counts arrivals adds as many as there are members; this process has not arrived.
  awaited_ = cell().arrived.load(std::memory_order_relaxed) / members() * members() + members() - 1;
  return {this, &Step::is_complete};
}

[[gnu::hot]] void Step::leave_mark() {
  SlotHead& own = head(board_.rank);
  own.behind = behind();
  own.mark.store(mark(), std::memory_order_release);
}

[[gnu::hot]] void Step::arrive_for(int root) {
  if (board_.marked)
    leave_mark();
  else
    count_in();
  doorbell::ring(*board_.bells[static_cast<std::size_t>(root)]);
}

[[gnu::hot]] void Step::release() {
  if (board_.marked)
    leave_mark();
  else
    cell().released.store(number_ + 1, std::memory_order_release);
  for (int member = 0; member < board_.members; ++member)
    if (member != board_.rank) doorbell::ring(*board_.bells[static_cast<std::size_t>(member)]);
}

}  // namespace starling::coll
