// SPDX-License-Identifier: BSD-3-Clause
// Board: memory that the members of a communicator on one host share for short collectives. Each has a slot to write into, and
// everybody may read all slots. How members learn that the others have written depends on the cores:
//   shared   a counter tells who comes last, and releases the others. Ranks that take turns on a core need one turn each for an
//            operation, where messages need one for every step of the algorithm.
//   own      a mark in each slot, in the line with the data, and everybody looks at the marks it needs: a line crosses once,
//            where the counter would cross to each member and back (`marked`).
//
// Format, in one of the job segment's boards (base/job.h):
//   BoardHead                                         kBoardHeadBytes
//   cpus[members], two bytes each                     where the member was when it last waited: the processor + 1; 0: unknown
//   Member[members], a line each
//   slots[kBoardCells][members], kBoardSlotStride     SlotHead and up to kSlotRoom bytes
// A communicator has one for its blocking operations and one for the others, since their orders are independent (coll/drive.h).
// Operations on a board are numbered in the order of the calls; number s uses cell s % kBoardCells and the slots of that cell.
//
// Invariants. (1) A member touches the cell of operation s only when all have finished s - kBoardCells: it waits in opened().
// So nobody ever waits for a cell to be cleaned, and a word of a cell has one meaning at a time. (2) A member writes only its
// own slot before it arrives. Of a counted operation who arrives last may write all slots until it releases it. Memory orders:
// to count is an acquire-release read-modify-write, so the last one sees what all have written; the release and the looks at it
// are a release/acquire pair, so all see what the last one (or the root) has written, and so are a mark and the looks at it;
// `done` is stored with release after the last access to the cell and read with acquire in opened(), so a new operation's
// writes come after all old reads. A slot may still have marks of a former use of the memory: `epoch` makes them different.
//
// opened() looks at every member's line, all of them in other caches. It can mostly do without: whoever is released from an
// operation at which all have arrived knows that they had finished what came before, unless one of them left word in `late`, or
// `behind` of its slot (before its arrival, so the orders above carry it).
//
// Long data does not pass through the board: members publish where it is and read or write each other's memory (Endpoint::get,
// put). Whether reading is permitted everybody tries when the board is taken, and all learn what all have found; writing is
// where reading is (ptrace(2), the same check).
//
// Who waits on a shared core gives it away to the others there, unless all for whom it waits are on other cores, as far as
// their words tell: then it looks on for a moment, because to give the core away and get it back takes longer than what is
// awaited. Those words (`cpus`, Member::arrived) are hints: written and read relaxed, and nothing depends on them but for how
// long somebody looks.
//
// A board is taken with the first operation that wants one: rank 0 looks for a free one among its own and tells the others by
// messages. If it has none left, or is told so, the communicator uses messages for good. The choice of the algorithm never
// depends on that, because processes learn of it at different times.
//
// Thread-safety: worker lock.
#pragma once

#include <atomic>
#include <coroutine>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/job.h"
#include "coll/ctx.h"
#include "coll/fold.h"
#include "coll/state.h"
#include "transport/doorbell.h"

namespace starling::coll {

struct BoardHead {
  alignas(kCacheLine) std::atomic<std::uint32_t> members;  // of the communicator that took it; 0: none ever did
  alignas(kCacheLine) std::atomic<std::uint32_t> left;     // members that need it no more; all: it is free
  struct Cell {
    alignas(kCacheLine) std::atomic<std::uint64_t> arrived;   // arrivals since the board was taken
    alignas(kCacheLine) std::atomic<std::uint64_t> released;  // number + 1 of the last operation released here
    std::atomic<std::uint64_t> late;  // number + 1 of the last one at which somebody arrived with an earlier one unfinished
  } cells[kBoardCells];
  alignas(kCacheLine) std::atomic<std::uint32_t> waiting;  // members that wait in opened()
  alignas(kCacheLine) std::atomic<std::uint32_t> probed;   // members that have tried to read the leader's memory
  std::atomic<std::uint32_t> refused;                      // 1: one of them was not permitted to
  std::uint32_t marked;                                    // 1: members leave marks, 0: they are counted
  std::uint64_t epoch;                                     // grows with each use of the memory
};
static_assert(sizeof(BoardHead) <= kBoardHeadBytes);

// What a member tells of itself.
struct alignas(kCacheLine) Member {
  std::atomic<std::uint64_t> done;     // operations that it has finished
  std::atomic<std::uint64_t> arrived;  // number + 1 of the last operation at which it was counted
};
static_assert(sizeof(Member) == kCacheLine);  // board_bytes()

struct Board {
  enum class State : unsigned char { kNew, kAsking, kReady, kNone };

  explicit Board(Comm& comm)
      : worker(*comm.worker),
        members(comm.size),
        rank(comm.rank),
        front(board_front_bytes(static_cast<std::uint64_t>(comm.size))) {}
  Board(const Board&) = delete;
  Board& operator=(const Board&) = delete;
  ~Board();

  BoardHead& head() const { return *reinterpret_cast<BoardHead*>(base); }
  std::atomic<std::uint16_t>& cpu(int member) const {
    return reinterpret_cast<std::atomic<std::uint16_t>*>(base + kBoardHeadBytes)[member];
  }
  Member& member(int which) const { return reinterpret_cast<Member*>(base + front)[which]; }
  std::byte* slot(std::uint64_t number, int member) const {
    const std::uint64_t index = number % kBoardCells * static_cast<std::uint64_t>(members) + static_cast<std::uint64_t>(member);
    return base + front + static_cast<std::size_t>(members) * sizeof(Member) + index * kBoardSlotStride;
  }

  // Whether a member that operation `number` waits for is on the core of this process, or may be: `whom`, or with kAll any that
  // has not been counted there.
  bool lacks_this_core(int whom, std::uint64_t number) const;
  static constexpr int kAll = -1;
  bool all_done(std::uint64_t before);  // all have finished the operations below `before`
  void finish(std::uint64_t number);    // this process has finished one
  void attach(const Comm& comm, std::uint32_t number);
  void probe(Comm& comm, std::uint64_t address);  // of a word of rank 0
  std::uint32_t find_free(
      const Comm& comm) const;  // rank 0: the number of a board that is now this communicator's, or kNoBoard

  Worker& worker;
  const int members, rank;
  const std::size_t front;  // where the lines of the members begin
  State state = State::kNew;
  bool direct = false;  // members may read each other's memory; known when the state is kReady
  bool marked = false;  // as BoardHead
  std::uint64_t epoch = 0;
  std::byte* base = nullptr;
  std::vector<std::atomic<std::uint32_t>*> bells;  // of the members
  std::uint64_t next = 0;                          // number of the next operation
  std::uint64_t finished = 0;                      // all below are finished here
  std::uint64_t finished_beyond = 0;               // bit i: so is number finished + 1 + i
  std::uint64_t known_done = 0;                    // all below are finished everywhere, as far as known
};
inline constexpr std::uint32_t kNoBoard = 0xffffffff;

// For the predicates of algorithms.
inline bool may_have_board(const Ctx& c) { return !c.members && state_of(*c.comm).shares_memory; }
inline constexpr Count kSlotRoom = kBoardSlotBytes;
// In a slot: where data is that others read or write.
struct Place {
  std::uint64_t address;  // in the memory of the member; 0: it follows
  Count bytes;
};

// In front of the data of a slot, in the same line as what is short.
struct alignas(16) SlotHead {
  std::uint32_t bytes;              // of the data, or of each of its blocks: tells a reader that it expects less than was sent
  std::uint32_t behind;             // of a marked operation: how many earlier ones the member had not finished
  std::atomic<std::uint64_t> mark;  // epoch + number + 1 of the last operation at which the member has arrived
};
static_assert(sizeof(SlotHead) + kBoardSlotBytes <= kBoardSlotStride);

class Step;
// Gets a board for the communicator of the step, or waits until an earlier operation has done so.
Task attach_board(Ctx c, Step* step);

// One operation on the board of the communicator, on one process. To be made before the first co_await: that gives it its
// number.
//
//   Step step(c);
//   if (!step.attached()) co_await attach_board(c, &step);
//   if (!step.attached()) { co_await some_algorithm_with_messages(c, a); co_return; }
//   co_await step.opened();
//   ... write into slot(c.rank) ...
//   step.arrive();
//   co_await step.all_arrived();
//   ... read; the end of the step tells that this process has finished
//
// Or from one to all: the root calls release(), the others wait for released_by(root). Or from all to one: the others call
// arrive_for(root), which waits for all_others_arrived(). A root may do both in one operation.
class Step {
 public:
  explicit Step(const Ctx& c);
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  ~Step() {
    if (attached()) board_.finish(number_);
  }

  bool attached() const { return board_.state == Board::State::kReady; }
  bool direct() const { return attached() && board_.direct; }
  // Where the data of a member is, to be filled or read in place.
  std::byte* slot(int member) const { return board_.slot(number_, member) + sizeof(SlotHead); }
  // Copies one of the blocks of a slot, all of them as long. For the first, `block` is 0.
  void write(const Ctx& c, int member, Data from, int block = 0) const {
    const Count bytes = from.bytes();
    head(member).bytes = static_cast<std::uint32_t>(bytes);
    c.copy(from, raw(slot(member) + block * bytes, bytes));
  }
  void read(const Ctx& c, int member, Data to, int block = 0) const {
    const Count bytes = head(member).bytes;
    if (bytes > to.bytes()) run_.note(kErrTruncate);
    c.copy(raw(slot(member) + block * bytes, bytes), to);
  }

  // Tells the members where memory of this process is, to be written, or read when it says so by another step.
  void publish(const Ctx& c, const void* address, Count bytes) const {
    const Place place{reinterpret_cast<std::uint64_t>(address), bytes};
    std::memcpy(slot(c.rank), &place, sizeof place);
  }
  // Tells them where data is. What is short and on no shared heap goes into the slot: to read it elsewhere, each would call the
  // kernel.
  void offer(const Ctx& c, Data what) const;
  // How many bytes a member has told of; and the check that the caller takes as many: otherwise the run fails.
  Count length_of(int member) const { return place(member).bytes; }
  void check_length(int member, Count most) const {
    if (length_of(member) > most) run_.note(kErrTruncate);
  }
  // Copies a part of what a member has told of, as far as that goes.
  void fetch(const Ctx& c, int member, Count offset, Data to) const;
  // Copies bytes into a part of it.
  void put(const Ctx& c, int member, Count offset, Data from) const;
  // As fetch, without copying where the data is mapped here; `room` is for the copy elsewhere.
  void* look(const Ctx& c, int member, Count offset, Data room) const;

  // What co_await takes.
  struct Wait {
    Step* step;
    bool (Step::*holds)();
    int whom = Board::kAll;  // the member that makes it true, or all together
    bool await_ready() const;
    void await_suspend(std::coroutine_handle<> waiter) const;
    void await_resume() const {}
  };
  // Until the cell and the slots may be used.
  Wait opened() { return {this, &Step::is_open}; }
  bool marked() const { return board_.marked; }
  // Tells the others that this process's part is written.
  void arrive() {
    if (board_.marked || count_in()) release();
    // The others have the line where this process writes next but one: taken from them now, it is here when it is needed.
    if (board_.marked) prefetch_to_write(board_.slot(number_ + 2, board_.rank));
  }
  Wait all_arrived() { return {this, board_.marked ? &Step::is_marked_by_all : &Step::is_released}; }
  // In an operation that is counted whoever comes last may work for all: true there, and then it calls release().
  bool count_in() {
    if (board_.finished != number_) cell().late.store(number_ + 1, std::memory_order_relaxed);
    arrived_ = true;
    board_.member(board_.rank).arrived.store(number_ + 1, std::memory_order_relaxed);
    return (cell().arrived.fetch_add(1, std::memory_order_acq_rel) + 1) % members() == 0;
  }
  void arrive_for(int root);
  Wait all_others_arrived();
  // Lets the others go on.
  void release();
  Wait released_by(int root) {
    root_ = root;
    return {this, board_.marked ? &Step::is_marked_by_root : &Step::is_released, root};
  }

 private:
  friend Task attach_board(Ctx c, Step* step);
  static bool poll(void* self);

  Place place(int member) const {
    Place place;
    std::memcpy(&place, slot(member), sizeof place);
    return place;
  }
  SlotHead& head(int member) const { return *reinterpret_cast<SlotHead*>(board_.slot(number_, member)); }
  BoardHead::Cell& cell() const { return board_.head().cells[number_ % kBoardCells]; }
  std::uint64_t members() const { return static_cast<std::uint64_t>(board_.members); }
  bool is_resolved() { return board_.state == Board::State::kReady || board_.state == Board::State::kNone; }
  bool is_probed() { return board_.head().probed.load(std::memory_order_acquire) == members(); }
  bool is_open();
  bool is_released();
  bool is_complete();
  bool is_marked(int member) const { return head(member).mark.load(std::memory_order_acquire) == mark(); }
  bool is_marked_by_root() { return is_marked(root_); }
  bool is_marked_by_all();
  std::uint64_t mark() const { return board_.epoch + number_ + 1; }
  std::uint32_t behind() const { return static_cast<std::uint32_t>(number_ - board_.finished); }
  void leave_mark();

  Board& board_;
  Run& run_;
  std::uint64_t number_;
  bool counted_ = false;  // in BoardHead::waiting
  bool arrived_ = false;
  std::uint64_t awaited_ = 0;        // arrivals, in all_others_arrived
  int root_ = 0;                     // whose mark is waited for
  int seen_ = 0;                     // the marks of members below have been seen
  std::uint32_t most_behind_ = 0;    // of those
  bool (Step::*holds_)() = nullptr;  // while suspended
  std::coroutine_handle<> waiter_;
};

// Combines the vectors in the slots of all ranks; the result is in the slot of the last one. Only for who has the slots for
// itself.
inline void combine_slots(const Step& step, const Op& op, Count count, Datatype& type, int ranks) {
  in_canonical_order(ranks, [&](int lower, int higher) {
    op::reduce(op, fitted(step.slot(lower), count, type).address, fitted(step.slot(higher), count, type).address, count, type);
  });
}
// The same for slots that others read at the same time; the result is in `result`, which is no slot.
inline void combine_copies(const Ctx& c, const Step& step, const Op& op, const Data& result) {
  const Count count = result.count, room = span(count, *result.type);
  Scratch copies(c, c.size > 2 ? (c.size - 1) * room : 0);
  ScratchArray<Data> vectors(c, c.size);
  for (int rank = 0; rank < c.size; ++rank) vectors[rank] = fitted(step.slot(rank), count, *result.type);
  in_canonical_order(c.size, [&](int lower, int higher) {
    const Data sum = higher == c.size - 1 ? result : fitted(copies.bytes() + higher * room, count, *result.type);
    c.combine(op, vectors[lower], vectors[higher], sum);
    vectors[higher] = sum;
  });
}
// Combines the slots of ranks 0 ... last into `result`, which is no slot; they may be read by others at the same time.
inline void combine_up_to(const Ctx& c, const Step& step, const Op& op, int last, const Data& result) {
  c.copy(fitted(step.slot(last), result.count, *result.type), result);
  for (int rank = last - 1; rank >= 0; --rank) c.reduce(op, fitted(step.slot(rank), result.count, *result.type), result);
}

// The vectors in slots 0 ... last become their prefixes: slot i the combination of those of ranks 0 ... i.
inline void prefix_slots(const Step& step, const Op& op, Count count, Datatype& type, int last) {
  for (int i = 1; i <= last; ++i)
    op::reduce(op, fitted(step.slot(i - 1), count, type).address, fitted(step.slot(i), count, type).address, count, type);
}

}  // namespace starling::coll
