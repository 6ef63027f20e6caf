// SPDX-License-Identifier: BSD-3-Clause
// Events: what happens inside the library that a tool may want to hear of at once (MPI 5.0, 15.3.8). A layer raises an event
// where it happens; the tool layer, if somebody has registered for it, sets the sink that passes it on.
//
// Thread-safety: pass_on() is called with the lock of the first worker held (Worker::raise sees to that); the sink may be set
// at any time.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace starling::events {

// The elements of each are in tool/events.cc.
enum class Kind : unsigned char { kUnexpectedMessage, kAlgorithmChosen, kRequestCompleted, kSleep, kCount_ };
inline constexpr std::size_t kMostElements = 4;
using Elements = std::array<std::int64_t, kMostElements>;

using Sink = void (*)(Kind kind, const Elements& elements);
inline constinit std::atomic<Sink> the_sink{nullptr};

inline bool wanted() { return the_sink.load(std::memory_order_relaxed) != nullptr; }

// Out of line, so that nobody's path grows by more than a look at a word that hardly ever changes.
[[gnu::cold, gnu::noinline]] inline void pass_on(Kind kind, const Elements& elements) {
  // Pairs with the release store that follows the registration.
  if (Sink sink = the_sink.load(std::memory_order_acquire)) sink(kind, elements);
}

}  // namespace starling::events
