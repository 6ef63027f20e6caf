// SPDX-License-Identifier: BSD-3-Clause
// Remote: memory of a target that this process has not mapped. The kernel copies where it is permitted, so that the origin does
// everything by itself; else the target is asked by messages, and answers when it makes progress. Every function returns when
// all is done, and throws Error(kErrRmaRange) if the memory is not there.
#pragma once

#include "progress/worker.h"
#include "rma/locate.h"
#include "rma/update.h"

namespace starling::rma {

class Remote {
 public:
  Remote(Win& win, const Place& place);

  // How much the functions below take at a time; `contiguous`: the other side needs no buffer in between.
  Limits limits(bool contiguous) const;

  void read(Runs runs, std::byte* to) const;
  void write(Runs runs, const std::byte* from) const;
  // Atomic with other updates of the target. Whole units. `in` may be nullptr for MPI_NO_OP, `old` always.
  void update(Runs runs, const Update& update, const std::byte* in, std::byte* old, Count bytes) const;

 private:
  friend struct DirectMemory;
  Win& win_;
  Target& target_;
  int rank_;
  Endpoint& endpoint_;
};

// To be called before the first window of a worker is used: answers to those who ask by messages.
void serve(Worker& worker);
// The address and the value of the word that a target lets others look for (Target::probe).
std::uint64_t probe_address();

}  // namespace starling::rma
