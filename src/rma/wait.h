// SPDX-License-Identifier: BSD-3-Clause
// Waiting for a change in the segment of a window, and waking those who wait.
#pragma once

#include <type_traits>

#include "progress/worker.h"
#include "rma/win.h"

namespace starling::rma {

// Returns when done() is true, which another process brings about by changing a word of the segment and calling wake or
// wake_all. Makes progress meanwhile.
template <class Done>
void wait_for(Win& win, Done&& done) {
  if (done()) return;
  Worker& worker = *win.comm->worker;
  // As a poller, done() is also looked at between the last look of this loop and falling asleep. It tells of the change once:
  // another thread that waits, too, would otherwise never find reason to give the worker lock away.
  struct Watch {
    std::remove_reference_t<Done>& done;
    bool told = false;
    static bool poll(void* self) {
      auto& watch = *static_cast<Watch*>(self);
      return !watch.told && (watch.told = watch.done());
    }
  };
  Watch watch{done};
  const Poller poller{&Watch::poll, &watch};
  worker.add_poller(poller);
  worker.wait(done);
  worker.remove_poller(poller);
}

inline void wake(Win& win, int rank) {
  if (rank != win.comm->rank) win.comm->worker->endpoint(win.comm->peer(rank)).notify();
}
inline void wake_all(Win& win) {
  for (int rank = 0; rank < win.comm->size; ++rank) wake(win, rank);
}

// Returns when all processes of the window have called it.
void barrier(Win& win);

}  // namespace starling::rma
