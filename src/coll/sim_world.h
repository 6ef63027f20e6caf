// SPDX-License-Identifier: BSD-3-Clause
// SimWorld: n virtual ranks in one process, each with a worker and a communicator, over the simulated transport. Runs what
// requests of these ranks stand for until all are complete; for the tests of collectives, and for predictions at scales no
// machine here has.
//
// Only non-blocking functions may be called: a blocking one would wait for ranks that cannot run meanwhile.
// Ownership: owns workers and communicators; requests must be complete and freed before it ends, or are left behind after a
// deadlock.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "object/comm.h"
#include "p2p/request.h"
#include "progress/worker.h"
#include "transport/sim/network.h"

namespace starling::coll {

class SimWorld {
 public:
  explicit SimWorld(int ranks, const transport::SimOptions& options = {});
  SimWorld(const SimWorld&) = delete;
  SimWorld& operator=(const SimWorld&) = delete;

  int size() const { return static_cast<int>(ranks_.size()); }
  transport::SimNetwork& network() { return network_; }
  Worker& worker(int rank) { return *ranks_[static_cast<std::size_t>(rank)].worker; }
  Comm& comm(int rank) { return *ranks_[static_cast<std::size_t>(rank)].comm; }

  // Goes on until all requests are complete. False: a deadlock; no message is left, and some request is not complete.
  bool run(std::span<Request* const> requests);
  // The ranks of requests that are not complete, for messages.
  static std::vector<int> stuck(std::span<Request* const> requests);

 private:
  struct Rank {
    std::unique_ptr<Worker> worker;
    Ref<Comm> comm;  // ends before its worker
  };
  bool settle(int rank);  // lets a rank do all it can; whether it did something

  transport::SimNetwork network_;
  std::vector<Rank> ranks_;
};

}  // namespace starling::coll
