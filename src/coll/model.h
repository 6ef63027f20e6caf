// SPDX-License-Identifier: BSD-3-Clause
// Model: predicts how long an algorithm takes for tens of thousands of processes, by running its coroutines with messages that
// have a length but no content. Costs are those of the simulated network (transport/sim/network.h: LogGP, eager and rendezvous
// messages), plus a time for each byte that is copied or reduced; p2p is left out, so that a process takes a few kilobytes.
//
// All messages between two processes have one order and nobody receives from just anybody; so it does not matter in which
// order processes run, and each has a clock of its own without a queue of events.
// Thread-safety: none.
#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "coll/algorithm.h"
#include "coll/nodes.h"
#include "transport/sim/network.h"

namespace starling::coll {

struct ModelOptions : transport::SimOptions {
  double copy_gap = 0.05;  // nanoseconds a byte
  double reduce_gap = 0.15;
};

class Model {
 public:
  explicit Model(int ranks, const ModelOptions& options = {});
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  // Nanoseconds from the common start until the last process has finished. Addresses in `args` (the same for all processes)
  // are not looked at. Throws std::logic_error after a deadlock.
  template <class Args>
  double time(const Algorithm<Args>& algorithm, const Args& args) {
    reset();
    for (std::size_t i = 0; i < processes_.size(); ++i) start(processes_[i], algorithm.run(context(static_cast<int>(i)), args));
    return finish();
  }
  // What rank `r` sees, for predicates and rules.
  Ctx context(int r);
  Comm& comm() { return *comm_; }
  Traffic sent() const { return sent_; }  // by the last run

  // From Gate and Ctx.
  void send(Gate& gate, const Data& what, int to);
  void recv(Gate& gate, const Data& what, int from);
  void settle(Gate& gate);  // its messages have arrived: the process goes on after that
  void copy(Run& run, Count bytes) { process_of(run).clock += static_cast<double>(bytes) * options_.copy_gap; }
  void reduce(Run& run, Count bytes) { process_of(run).clock += static_cast<double>(bytes) * options_.reduce_gap; }

 private:
  struct Process {
    Process(Worker& worker, Model& model, int number) : run(worker, 0, false) {
      run.model = &model;
      run.process = number;
    }
    Run run;
    Task task;
    double clock = 0, wire_free = 0, reader_free = 0;
    std::vector<double> arrivals;  // of what the process waits for
  };
  // One side of a message that waits for the other.
  struct Half {
    Gate* gate;
    double time;  // of arrival of a message (or of the request to send), or of posting of a receive
    Count bytes;  // of a message
  };
  struct Channel {
    std::deque<Half> waiting;
    bool receives = false;  // what waits
  };

  void reset();
  void start(Process& process, Task task);
  double finish();
  Process& process_of(const Run& run) { return processes_[static_cast<std::size_t>(run.process)]; }
  void match(const Half& message, bool sender_waits, const Half& receive, bool receiver_waits);
  void arrived(Gate& gate, double time, bool waits);
  bool eager(Count bytes) const { return bytes <= static_cast<Count>(options_.eager_limit); }
  Channel& channel(int from, int to) {
    return channels_[static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to)];
  }
  void forget(int from, int to) { channels_.erase(static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to)); }

  const ModelOptions options_;
  Worker worker_;
  Ref<Comm> comm_;
  std::deque<Process> processes_;
  std::unordered_map<std::uint64_t, Channel> channels_;
  std::deque<Gate*> ready_;
  Traffic sent_;
};

}  // namespace starling::coll
