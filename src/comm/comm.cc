// SPDX-License-Identifier: BSD-3-Clause
#include "comm/comm.h"

#include <atomic>

#include "base/error.h"
#include "progress/worker.h"

namespace starling::comm {

namespace {

constexpr int kCounterBits = 38;
constexpr int kPeerBits = 23;
constexpr Context kFirstCounter = 16;  // smaller ones are left to communicators that are not created, as MPI_COMM_WORLD

}  // namespace

Context next_context(const Worker& worker) {
  // One counter for all workers of the process: more than unique, and nothing to look up.
  static constinit std::atomic<Context> counter{kFirstCounter};
  static_assert(1 + kCounterBits + kPeerBits == 62);
  if (worker.self() >> kPeerBits)
    fail(kErrIntern, "peer %u is beyond the %d bits that a context has for it", worker.self(), kPeerBits);
  Context count = counter.fetch_add(1, std::memory_order_relaxed);
  if (count >> kCounterBits) fail(kErrNoMem, "this process has created too many communicators");
  return Context{worker.self()} << (1 + kCounterBits) | count << 1;
}

}  // namespace starling::comm
