// SPDX-License-Identifier: BSD-3-Clause
#include "rma/remote.h"

#include "base/error.h"
#include "rma/messages.h"

namespace starling::rma {

namespace {

constexpr std::uint64_t kProbeValue = 0x57415453474e494cu;
constinit std::uint64_t probe_word = kProbeValue;  // others may write it, with the same value

// Reads and writes a word that every process has: whether the kernel permits both.
Reach find_reach(Endpoint& endpoint, const Target& target) {
  std::uint64_t seen = 0;
  const bool direct = endpoint.direct && endpoint.get(&seen, target.probe, sizeof seen) && seen == kProbeValue &&
                      endpoint.put(&seen, target.probe, sizeof seen);
  return direct ? Reach::kDirect : Reach::kMessages;
}

[[noreturn, gnu::cold]] void not_there(const iovec& run, int rank) {
  fail(kErrRmaRange, "%zu bytes at address %p of rank %d cannot be accessed", run.iov_len, run.iov_base, rank);
}

}  // namespace

std::uint64_t probe_address() { return reinterpret_cast<std::uint64_t>(&probe_word); }

struct DirectMemory {
  const Remote& remote;

  void read(Runs runs, std::byte* to) const {
    for (const iovec& run : runs) {
      if (!remote.endpoint_.get(to, reinterpret_cast<std::uint64_t>(run.iov_base), run.iov_len)) not_there(run, remote.rank_);
      to += run.iov_len;
    }
  }
  void write(Runs runs, const std::byte* from) const {
    for (const iovec& run : runs) {
      if (!remote.endpoint_.put(from, reinterpret_cast<std::uint64_t>(run.iov_base), run.iov_len)) not_there(run, remote.rank_);
      from += run.iov_len;
    }
  }
};

Remote::Remote(Win& win, const Place& place)
    : win_(win), target_(*place.target), rank_(place.rank), endpoint_(win.comm->worker->endpoint(win.comm->peer(place.rank))) {
  if (target_.reach == Reach::kUnknown) target_.reach = find_reach(endpoint_, target_);
}

Limits Remote::limits(bool contiguous) const {
  if (target_.reach == Reach::kMessages) return kMessageLimits;
  constexpr Count kUnlimited = Count{1} << 40;
  return {contiguous ? kUnlimited : kPieceBytes, kMostRuns};
}

void Remote::read(Runs runs, std::byte* to) const {
  if (target_.reach == Reach::kDirect) return DirectMemory{*this}.read(runs, to);
  Count bytes = 0;
  for (const iovec& run : runs) bytes += static_cast<Count>(run.iov_len);
  ask(win_, endpoint_, Act::kRead, runs, nullptr, nullptr, to, bytes);
}

void Remote::write(Runs runs, const std::byte* from) const {
  if (target_.reach == Reach::kDirect) return DirectMemory{*this}.write(runs, from);
  Count bytes = 0;
  for (const iovec& run : runs) bytes += static_cast<Count>(run.iov_len);
  ask(win_, endpoint_, Act::kWrite, runs, nullptr, from, nullptr, bytes);
}

void Remote::update(Runs runs, const Update& update, const std::byte* in, std::byte* old, Count bytes) const {
  if (target_.reach == Reach::kMessages) return ask(win_, endpoint_, Act::kUpdate, runs, &update, in, old, bytes);
  const Locked locked(win_.words(rank_).exclusion);
  modify(DirectMemory{*this}, runs, update, in, old, bytes);
}

}  // namespace starling::rma
