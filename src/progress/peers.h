// SPDX-License-Identifier: BSD-3-Clause
// Peers: the numbers by which a process knows others. Those of its own job are its residents, and their numbers are their
// ranks. Processes of other jobs are guests: they get the numbers above, each process its own, so a number never leaves the
// process; an address does (doc/dynamic.md).
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "base/job.h"
#include "base/types.h"

namespace starling {

// The same in every process that looks at it, and ordered.
struct ProcessId {
  std::uint64_t job = 0;  // 0: a job without a segment
  std::uint32_t rank = 0;
  friend auto operator<=>(const ProcessId&, const ProcessId&) = default;
};

class Peers {
 public:
  explicit Peers(Peer residents) : residents_(residents) {}

  void set_job(const JobMapping& job) { own_ = job.address(0); }
  Peer residents() const { return residents_; }
  Peer end() const { return residents_ + static_cast<Peer>(guests_.size()); }  // beyond all numbers

  // The number of a process, given to it now if it has none.
  Peer admit(const ProcessAddress& address);
  bool is_guest(Peer peer) const { return peer >= residents_ && peer < end() && guests_[peer - residents_].job_id != 0; }
  void forget(Peer guest) { guests_[guest - residents_] = {}; }

  ProcessAddress address(Peer peer) const;
  ProcessId id(Peer peer) const {
    const ProcessAddress known = address(peer);
    return {known.job_id, known.rank};
  }

 private:
  Peer residents_;
  ProcessAddress own_{};                // of rank 0
  std::vector<ProcessAddress> guests_;  // job_id 0: a number without owner
};

}  // namespace starling
