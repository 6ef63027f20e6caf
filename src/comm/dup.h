// SPDX-License-Identifier: BSD-3-Clause
// Duplication: what MPI_Comm_dup and MPI_Comm_idup do, step by step. All but the context is copied at once, without
// communication; the context of the copy is then agreed on, from progress or by waiting.
#pragma once

#include "comm/agree.h"
#include "comm/create.h"

namespace starling::comm {

// Collective: every member of `parent` makes one, in the same order. Must stay where it is until step() has returned true.
// Guarded by the worker lock.
class Duplication {
 public:
  // Calls the copy callbacks of attributes; throws what they return, before any message is sent.
  explicit Duplication(Comm& parent);
  Duplication(const Duplication&) = delete;
  Duplication& operator=(const Duplication&) = delete;

  // The copy, complete once step() has returned true; lives as long as this object or longer, if someone retains it.
  Comm& made() { return *made_; }
  // Goes on as far as messages have arrived. Throws Error if one failed.
  bool step();

 private:
  void start();

  Ref<Comm> parent_;
  Ref<Comm> made_;
  InterContexts mine_, theirs_;
  int tag_ = 0, local_tag_ = 0;
  int leader_ = 0;        // in the local group
  bool meeting_ = false;  // this process leads one side of an intercommunicator and waits for the other leader
  Exchange exchange_;
  Broadcast broadcast_;
};

}  // namespace starling::comm
