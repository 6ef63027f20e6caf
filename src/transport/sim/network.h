// SPDX-License-Identifier: BSD-3-Clause
// The simulated transport: a network of virtual processes inside one process, with a clock of its own (DESIGN D5). What runs
// over it is the real code of p2p and the collectives; only the wires are simulated.
//
// Time follows LogGP (Alexandrov, Ionescu, Schauser, Scheiman, SPAA 1995): a message of n bytes that is sent at time t leaves
// when the sender has spent `overhead` and its wire is free, keeps the wire busy for `gap` + n `byte_gap`, arrives `latency`
// later, and costs the receiver `overhead`. Every process has its own clock. What a process computes between messages costs
// nothing.
//
// A seed makes a run different from others and repeatable: messages get extra delays, so that those of different senders arrive
// in any order (between two processes order is kept, as the Transport promises), and some find no room at first.
//
// Ownership: the network outlives its transports. Thread-safety: none; all processes run in one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <queue>
#include <vector>

#include "transport/transport.h"

namespace starling::transport {

struct SimOptions {
  // Times in nanoseconds.
  double latency = 1000;
  double overhead = 200;
  double gap = 100;
  double byte_gap = 0.1;
  double jitter = 0;               // largest extra delay of a message
  std::size_t eager_limit = 8192;  // bytes
  bool direct = true;              // whether a process can read the memory of another
  double refusals = 0;             // probability that a message finds no room at first
  std::uint64_t seed = 1;
  // Which processes share a node; without it every one has its own. Inside a node other costs hold.
  std::vector<int> node_of;
  double node_latency = 300;
  double node_byte_gap = 0.05;

  bool near(Peer a, Peer b) const { return !node_of.empty() && node_of[a] == node_of[b]; }
  double latency_of(Peer a, Peer b) const { return near(a, b) ? node_latency : latency; }
  double byte_gap_of(Peer a, Peer b) const { return near(a, b) ? node_byte_gap : byte_gap; }
};

class SimNetwork {
 public:
  SimNetwork(int processes, const SimOptions& options);
  ~SimNetwork();

  // The transport of the process inbox.self().
  std::unique_ptr<Transport> make_transport(Inbox& inbox);

  // Brings the message that arrives first to its receiver, whose transport delivers it in its next progress(). False: none is
  // under way.
  bool step(Peer& receiver);
  // The process vanishes: what it sends from now on, and what is on its way to it, is lost.
  void kill(Peer process);

  double now(Peer process) const { return processes_[process].clock; }
  // The process computes, or is late.
  void spend(Peer process, double time) { processes_[process].clock += time; }
  double latest() const;  // of all clocks

  std::uint64_t messages() const { return messages_; }
  std::uint64_t bytes() const { return bytes_; }  // of payload, read memory included
  std::uint64_t refused() const { return refused_; }
  double random();  // in [0, 1)

 private:
  friend class SimEndpoint;
  friend class SimTransport;

  struct Message {
    AmHeader header;
    Peer from, to;
    double arrival;
    std::uint64_t number;  // of sending: decides between equal arrivals
    std::vector<std::byte> payload;
  };
  struct Later {
    bool operator()(const std::unique_ptr<Message>& a, const std::unique_ptr<Message>& b) const {
      return a->arrival != b->arrival ? a->arrival > b->arrival : a->number > b->number;
    }
  };
  struct Process {
    double clock = 0;
    double wire_free = 0;
    bool dead = false;
    std::vector<std::unique_ptr<Message>> arrived;  // not yet delivered
  };

  bool refuses();
  // `last_arrival` of the pair keeps its order.
  void send(std::unique_ptr<Message> message, double& last_arrival);
  void read(Peer reader, Peer owner, std::size_t length);

  const SimOptions options_;
  std::vector<Process> processes_;
  std::priority_queue<std::unique_ptr<Message>, std::vector<std::unique_ptr<Message>>, Later> under_way_;
  std::uint64_t random_state_;
  std::uint64_t messages_ = 0, bytes_ = 0, refused_ = 0;
};

}  // namespace starling::transport
