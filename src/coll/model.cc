// SPDX-License-Identifier: BSD-3-Clause
#include "coll/model.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "coll/plan.h"

namespace starling::coll {

// An address that is not looked at.
void* model_memory() { return reinterpret_cast<void*>(std::uintptr_t{1} << 40); }
void model_copy(Run& run, Count bytes) { run.model->copy(run, bytes); }
void model_reduce(Run& run, Count bytes) { run.model->reduce(run, bytes); }

Model::Model(int ranks, const ModelOptions& options) : options_(options), worker_(0, 1) {
  auto group = Ref<Group>::adopt(object::make_consecutive_group(0, ranks, 0));
  comm_ = Ref<Comm>::adopt(object::make_comm(kWorldContext, worker_, std::move(group), {}, nullptr));
  std::vector<int> node_of = options.node_of;
  node_of.resize(static_cast<std::size_t>(ranks));
  state_of(*comm_).nodes = std::make_shared<const NodeMap>(node_of);
  for (int rank = 0; rank < ranks; ++rank) processes_.emplace_back(worker_, *this, rank);
}
Model::~Model() = default;

Ctx Model::context(int r) {
  Ctx c(processes_[static_cast<std::size_t>(r)].run, *comm_);
  c.rank = r;
  return c;
}

void Model::reset() {
  for (Process& process : processes_) {
    process.clock = process.wire_free = process.reader_free = 0;
    process.arrivals.clear();
  }
  channels_.clear();
  ready_.clear();
  sent_ = {};
}

void Model::start(Process& process, Task task) {
  process.task = task;
  task.start(nullptr);
}

double Model::finish() {
  while (!ready_.empty()) {
    Gate& gate = *ready_.front();
    ready_.pop_front();
    settle(gate);
    std::exchange(gate.waiter, {}).resume();
  }
  double last = 0;
  for (Process& process : processes_) {
    if (!process.task.ended()) throw std::logic_error("a process waits for ever");
    process.task.collect();
    last = std::max(last, process.clock);
  }
  return last;
}

void Model::settle(Gate& gate) {
  Process& process = process_of(gate.run);
  std::sort(process.arrivals.begin(), process.arrivals.end());
  for (double arrival : process.arrivals) process.clock = std::max(process.clock, arrival) + options_.overhead;
  process.arrivals.clear();
}

void Model::send(Gate& gate, const Data& what, int to) {
  if (to < 0) return;
  Process& process = process_of(gate.run);
  const Count bytes = what.type ? what.bytes() : 0;
  const double on_wire = eager(bytes) ? static_cast<double>(bytes) * options_.byte_gap_of(gate.run.process, to) : 0;
  ++sent_.messages;
  sent_.bytes += bytes;
  process.clock += options_.overhead;
  const double start = std::max(process.clock, process.wire_free);
  process.wire_free = start + options_.gap + on_wire;
  const Half message{&gate, start + options_.latency_of(gate.run.process, to) + on_wire, bytes};
  Channel& peers = channel(gate.run.process, to);
  if (peers.receives && !peers.waiting.empty()) {
    const Half receive = peers.waiting.front();
    peers.waiting.pop_front();
    if (peers.waiting.empty()) forget(gate.run.process, to);
    match(message, false, receive, true);
  } else {
    if (!eager(bytes)) ++gate.under_way;
    peers.waiting.push_back(message);
  }
}

void Model::recv(Gate& gate, const Data&, int from) {
  if (from < 0) return;
  const Half receive{&gate, process_of(gate.run).clock, 0};
  Channel& peers = channel(from, gate.run.process);
  if (!peers.receives && !peers.waiting.empty()) {
    const Half message = peers.waiting.front();
    peers.waiting.pop_front();
    if (peers.waiting.empty()) forget(from, gate.run.process);
    match(message, true, receive, false);
  } else {
    peers.receives = true;
    peers.waiting.push_back(receive);
    ++gate.under_way;
  }
}

// A short message is complete when it has arrived. Of a long one only the request to send has: the receiver reads it then, one
// after the other, and tells the sender.
void Model::match(const Half& message, bool sender_waits, const Half& receive, bool receiver_waits) {
  if (eager(message.bytes)) return arrived(*receive.gate, message.time, receiver_waits);
  Process& reader = process_of(receive.gate->run);
  const int from = message.gate->run.process, to = receive.gate->run.process;
  const double latency = options_.latency_of(from, to);
  const double begin = std::max(std::max(receive.time, message.time) + options_.overhead, reader.reader_free);
  reader.reader_free = begin + 2 * latency + static_cast<double>(message.bytes) * options_.byte_gap_of(from, to);
  arrived(*receive.gate, reader.reader_free, receiver_waits);
  arrived(*message.gate, reader.reader_free + options_.overhead + latency, sender_waits);
}

void Model::arrived(Gate& gate, double time, bool waits) {
  process_of(gate.run).arrivals.push_back(time);
  if (waits && --gate.under_way == 0 && gate.waiter) ready_.push_back(&gate);
}

}  // namespace starling::coll
