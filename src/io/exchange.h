// SPDX-License-Identifier: BSD-3-Clause
// Exchange: what a process keeps during a collective access in two phases (collective.cc). The range of the file that the
// processes access together is cut into parts, one for each aggregator; an aggregator works on its part window by window, one
// in a round. Every process tells the aggregators which pieces of their windows are its own.
//
// Plain data and what needs no other process; all messages are in collective.cc.
#pragma once

#include <memory>
#include <vector>

#include "io/access.h"
#include "io/coverage.h"

namespace starling::io {

// What the processes tell each other at the start. All zero for an empty access.
struct Extent {
  Count first, end;    // the offsets that are accessed lie in [first, end)
  Count bytes;         // that are accessed
  std::int32_t small;  // the pieces are small, so that it pays to gather them
  std::int32_t loose;  // the view is not ordered, so that its access cannot be cut into windows
};

// The range of offsets [first, end).
struct Range {
  Count first, end;
  bool meets(const Extent& extent) const { return extent.bytes > 0 && first < extent.end && extent.first < end; }
};

struct Plan {
  bool together = false;  // else each process transfers by itself
  Count base = 0, end = 0;
  Count part = 0, window = 0, rounds = 0;
  int aggregators = 0, size = 0;

  int rank_of(int aggregator) const { return static_cast<int>(Count{aggregator} * size / aggregators); }
  Range part_of(int aggregator) const;
  Range window_of(int aggregator, Count round) const;
};
// The same at all processes.
Plan make_plan(const Extent* extents, int size, const Hints& hints, Choice choice);

// Runs of equal pieces in a file: `count` of `bytes` bytes each, `stride` apart.
struct FileRun {
  Count offset, bytes, count, stride;
};

// What a process has in the window of an aggregator: in messages followed by the runs, and in a write by the data.
struct Head {
  Count bytes;
  Count runs;
};
// The answer to a read: so many of the bytes are there. At the end of a write: how it went.
struct Answer {
  Count bytes;
  std::int32_t error;
  char text[116];
};
void put_error(const Error& error, Answer& answer);

struct Outgoing {
  int aggregator_rank;
  Head head;
  Count from;  // the first byte, counted from the beginning of the access
  std::vector<FileRun> runs;
  std::unique_ptr<std::byte[]> packed;  // the data, unless it is contiguous in memory
  Answer answer;
};
struct Incoming {
  int source;
  Head head;
  std::vector<FileRun> runs;
  Count skipped;  // where its answer lies in the buffer of answers
  Answer answer;
};

class Exchange {
 public:
  Exchange(Access& access, const Extent* extents, const Plan& plan, int rank);

  // Fills `out` and `in` for a round.
  void begin_round(Count round);

  // The process as one with data.
  coll::Data data_of(Outgoing& out);  // where the data is, or goes to; packed for a write
  void received(const Outgoing& out);

  // The process as aggregator. Errors of the system are kept, for the answers.
  void scatter(const Incoming& in, const std::byte* data);  // into the window
  void write_window();
  void read_window();                                      // all that is asked for
  void gather(const Incoming& in, std::byte* data) const;  // out of the window

  Access& access;
  const Extent* extents;
  const Plan plan;
  int mine = -1;  // the number of this process among the aggregators; -1: it is none
  std::vector<Outgoing> out;
  std::vector<Incoming> in;
  Error error{kSuccess, {}};  // of this process as aggregator

 private:
  template <class Move>
  void attempt(Move&& move);
  Count bytes_before(const Incoming& in, Count offset) const;

  Range window_{};
  std::unique_ptr<std::byte[]> buffer_;
  Coverage coverage_;
};

}  // namespace starling::io
