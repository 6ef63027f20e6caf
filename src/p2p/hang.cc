// SPDX-License-Identifier: BSD-3-Clause
// MVP_HANG_TIMEOUT: a rank that has waited for too long tells what for, and leaves for the launcher, in its slot of the job
// segment, for whom.
#include <cinttypes>
#include <cstdio>
#include <string>

#include "object/comm.h"
#include "p2p/state.h"

namespace starling::p2p {

namespace {

constexpr std::size_t kMostLines = 4;

// The communicator of a message, by its context without the bits that tell kinds of messages apart (object/comm.h).
const Comm* comm_of(Context context) {
  const Comm* found = nullptr;
  comm_pool().for_each([&](const Comm& comm) {
    if (comm.context == (context & ~(Context{3} << 62 | 1))) found = &comm;
  });
  return found;
}

std::string name_of(const Comm* comm) {
  return !comm ? "no communicator of the program" : comm->name.empty() ? "a communicator" : comm->name;
}

std::string describe(const RecvOp& op, const Comm* comm) {
  const std::string from = op.source == kAnySource ? "any rank" : "rank " + std::to_string(op.source);
  const bool hidden = op.context >> 62 != 0 || op.context & 1;
  const std::string tag = hidden ? "" : op.tag == kAnyTag ? " with any tag" : " with tag " + std::to_string(op.tag);
  const char* what = op.context & 1 ? "a message of a collective operation from "
                     : hidden       ? "a partitioned message from "
                                    : "a message from ";
  return what + from + " of " + name_of(comm) + tag;
}

std::string describe(const SendOp& op, const Comm* comm) {
  const Peer peer = op.endpoint->peer;
  const std::string to = comm ? "rank " + std::to_string(comm->remote_group->rank_of(peer)) : "process " + std::to_string(peer);
  const std::string tag = op.header.context & 1 ? "" : " with tag " + std::to_string(op.header.tag);
  return to + " of " + name_of(comm) + " to receive " + std::to_string(op.source.length) + " bytes" + tag;
}

// What is waited for: lines for the user, peers for the launcher.
class Waits {
 public:
  explicit Waits(const State& state) {
    state.matcher.for_each_posted([&](const RecvOp& op) {
      const Comm* comm = comm_of(op.context);
      const bool any = op.source == kAnySource || !comm;
      add(describe(op, comm), any ? kWaitsForAnybody : comm->peer(op.source));
    });
    for (const SendOp* op = state.waiting_first; op; op = op->waiting_next)
      add(describe(*op, comm_of(op->header.context)), op->endpoint->peer);
    if (count_ == 0) add("something in shared memory: a collective operation or a window", kWaitsForAnybody);
  }

  void print(Peer self, std::uint64_t waited_ns) const {
    const std::string more = count_ > kMostLines ? ", and " + std::to_string(count_ - kMostLines) + " more" : "";
    std::fprintf(stderr, "starling: rank %u has waited for %" PRIu64 " s for %s%s\n", self, waited_ns / 1'000'000'000,
                 text_.c_str(), more.c_str());
  }

  void publish(RankSlot& slot) const { leave_waits(slot, peer_, peers_); }

 private:
  void add(const std::string& line, std::uint32_t peer) {
    if (count_++ < kMostLines) text_ += (text_.empty() ? "" : "; for ") + line;
    if (peers_ < std::size(peer_)) peer_[peers_++] = peer;
  }

  std::string text_;
  std::size_t count_ = 0;
  std::uint32_t peers_ = 0;
  std::uint32_t peer_[kMostWaits];
};

}  // namespace

void tell_hang(Worker& worker, std::uint64_t waited_ns, bool first) {
  const Waits waits(worker.p2p());
  if (first) waits.print(worker.self(), waited_ns);
  if (worker.job.base) waits.publish(worker.job.slot(worker.self()));
}

}  // namespace starling::p2p
