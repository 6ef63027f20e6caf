// SPDX-License-Identifier: BSD-3-Clause
#include "transport/sim/network.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "datatype/datatype.h"

namespace starling::transport {

// One direction between two processes.
class SimEndpoint final : public Endpoint {
 public:
  SimEndpoint(SimNetwork& network, Peer from, Peer to) : network_(network), from_(from) {
    peer = to;
    short_limit = eager_limit = network.options_.eager_limit;
    direct = direct_proven = network.options_.direct;
  }

  bool send_short(const AmHeader& header, const void* payload, std::size_t length) override {
    if (network_.refuses()) return false;
    auto message = make(header, length);
    if (length != 0) std::memcpy(message->payload.data(), payload, length);
    network_.send(std::move(message), last_arrival_);
    return true;
  }

  bool send_packed(const AmHeader& header, const PackSource& source) override {
    if (network_.refuses()) return false;
    auto message = make(header, static_cast<std::size_t>(source.length));
    datatype::pack(source.buffer, source.count, *source.type, source.offset, message->payload.data(), source.length);
    network_.send(std::move(message), last_arrival_);
    return true;
  }

  bool get(void* local, std::uint64_t remote_address, std::size_t length) override {
    network_.read(from_, peer, length);
    std::memmove(local, reinterpret_cast<const void*>(remote_address), length);
    return true;
  }

 private:
  std::unique_ptr<SimNetwork::Message> make(const AmHeader& header, std::size_t length) const {
    return std::make_unique<SimNetwork::Message>(
        SimNetwork::Message{header, from_, peer, 0, 0, std::vector<std::byte>(length)});
  }

  SimNetwork& network_;
  Peer from_;
  double last_arrival_ = 0;
};

class SimTransport final : public Transport {
 public:
  SimTransport(SimNetwork& network, Inbox& inbox) : network_(network), inbox_(inbox), endpoints_(network.processes_.size()) {}

  const char* name() const override { return "sim"; }
  bool reaches(Peer peer) const override { return peer < endpoints_.size(); }
  Endpoint& connect(Peer peer) override {
    auto& endpoint = endpoints_[peer];
    if (!endpoint) endpoint = std::make_unique<SimEndpoint>(network_, inbox_.self(), peer);
    return *endpoint;
  }
  int progress() override {
    auto arrived = std::exchange(network_.processes_[inbox_.self()].arrived, {});
    for (const auto& message : arrived)
      inbox_.deliver(message->header, message->from, message->payload.data(), message->payload.size());
    return static_cast<int>(arrived.size());
  }
  // Simulated processes never sleep: who drives them knows when nothing is left to come.
  bool arm() override { return false; }

 private:
  SimNetwork& network_;
  Inbox& inbox_;
  std::vector<std::unique_ptr<SimEndpoint>> endpoints_;
};

SimNetwork::SimNetwork(int processes, const SimOptions& options)
    : options_(options), processes_(static_cast<std::size_t>(processes)), random_state_(options.seed) {}

SimNetwork::~SimNetwork() = default;

std::unique_ptr<Transport> SimNetwork::make_transport(Inbox& inbox) { return std::make_unique<SimTransport>(*this, inbox); }

bool SimNetwork::step(Peer& receiver) {
  while (!under_way_.empty()) {
    // top() is const only so that the order cannot be broken; the element is removed at once.
    auto message = std::move(const_cast<std::unique_ptr<Message>&>(under_way_.top()));
    under_way_.pop();
    Process& to = processes_[message->to];
    if (to.dead) continue;
    receiver = message->to;
    to.clock = std::max(to.clock, message->arrival) + options_.overhead;
    to.arrived.push_back(std::move(message));
    return true;
  }
  return false;
}

void SimNetwork::kill(Peer process) {
  processes_[process].dead = true;
  processes_[process].arrived.clear();
}

double SimNetwork::latest() const {
  double time = 0;
  for (const Process& process : processes_) time = std::max(time, process.clock);
  return time;
}

// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
double SimNetwork::random() {
  std::uint64_t z = random_state_ += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

bool SimNetwork::refuses() {
  if (options_.refusals <= 0 || random() >= options_.refusals) return false;
  ++refused_;
  return true;
}

void SimNetwork::send(std::unique_ptr<Message> message, double& last_arrival) {
  Process& from = processes_[message->from];
  const double on_wire = static_cast<double>(message->payload.size()) * options_.byte_gap_of(message->from, message->to);
  from.clock += options_.overhead;
  const double start = std::max(from.clock, from.wire_free);
  from.wire_free = start + options_.gap + on_wire;
  double arrival = start + options_.latency_of(message->from, message->to) + on_wire;
  if (options_.jitter > 0) arrival += options_.jitter * random();
  last_arrival = message->arrival = std::max(arrival, last_arrival);
  message->number = messages_++;
  bytes_ += message->payload.size();
  if (!from.dead) under_way_.push(std::move(message));
}

void SimNetwork::read(Peer reader, Peer owner, std::size_t length) {
  bytes_ += length;
  processes_[reader].clock +=
      2 * options_.latency_of(reader, owner) + static_cast<double>(length) * options_.byte_gap_of(reader, owner);
}

}  // namespace starling::transport
