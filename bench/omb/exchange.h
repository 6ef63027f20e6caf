// SPDX-License-Identifier: BSD-3-Clause
// What the point-to-point bodies share: buffers of a window, what is checked in them, and the value that comes out.
#pragma once

#include "datatype.h"
#include "measure.h"
#include "validate.h"

namespace omb {

// A buffer for each message of a window, or one for all (-b).
struct Buffers {
  char* first = nullptr;
  size_t stride = 0;  // 0: one for all
  size_t number = 1;
  char* operator[](int i) const { return first + static_cast<size_t>(i) % number * stride; }
};

inline Buffers make_buffers(Run& run, int slot, const Message& message) {
  constexpr size_t kLine = 64;
  if (!run.options.multiple_buffers) return {run.memory[slot].at_least(message.extent), 0, 1};
  const size_t stride = (message.extent + kLine - 1) / kLine * kLine + (message.extent == 0 ? kLine : 0);
  const auto number = static_cast<size_t>(run.options.window_size());
  return {run.memory[slot].at_least(stride * number), stride, number};
}

// The two buffers of a rank and the peer it exchanges with. prepare() and check() go to measure().
struct Exchange {
  Exchange(Run& r, const Message& m, int p)
      : run(r), message(m), peer(p), send(make_buffers(r, 0, m)), receive(make_buffers(r, 1, m)) {}
  Run& run;
  const Message& message;
  int peer;
  Buffers send, receive;
  bool receives = true;

  auto prepare() const {
    return [this](int i) {
      for (size_t n = 0; n < send.number; ++n) {
        fill(send[static_cast<int>(n)], message, run.rank, peer, i);
        spoil(receive[static_cast<int>(n)], message);
      }
      MPI_Barrier(run.comm);
    };
  }
  // Latency tests use buffer i of the iteration, bandwidth tests all of a window.
  auto check_one() const {
    return [this](int i) { return Checker(run, message, i).from(receive[i], peer, run.rank); };
  }
  auto check_window() const {
    return [this](int i) {
      bool good = true;
      if (receives)
        for (size_t n = 0; n < receive.number; ++n)
          good &= Checker(run, message, i).from(receive[static_cast<int>(n)], peer, run.rank);
      return good;
    };
  }
};

}  // namespace omb
