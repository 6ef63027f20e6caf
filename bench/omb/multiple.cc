// SPDX-License-Identifier: BSD-3-Clause
// Several pairs at once, and nodes that send to one node or receive from it.
#include <cstdio>
#include <cstring>
#include <map>

#include "exchange.h"
#include "pairs.h"
#include "programs.h"

namespace omb {
namespace {

constexpr int kTag = 1, kDataTag = 100, kAnswerTag = 101;
constexpr int kVariedWindows[] = {1, 2, 4, 8, 16, 32, 64, 128};

// Sends windows to some ranks and waits for their answers, or receives from some and answers.
class Stream {
 public:
  Stream(Exchange& exchange, bool sends, std::vector<int> peers)
      : x_(exchange),
        sends_(sends),
        peers_(std::move(peers)),
        requests_(peers_.size() * static_cast<size_t>(exchange.run.options.window_size())) {}

  void operator()(int) {
    const int window = x_.run.options.window_size();
    MPI_Request* request = requests_.data();
    for (int j = 0; j < window; ++j)
      for (int peer : peers_) {
        if (sends_)
          MPI_Isend(x_.send[j], x_.message.count, x_.message.type, peer, kDataTag, x_.run.comm, request++);
        else
          MPI_Irecv(x_.receive[j], x_.message.count, x_.message.type, peer, kDataTag, x_.run.comm, request++);
      }
    MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
    char answer = 0;
    for (int peer : peers_) {
      if (sends_)
        MPI_Recv(&answer, 1, MPI_CHAR, peer, kAnswerTag, x_.run.comm, MPI_STATUS_IGNORE);
      else
        MPI_Send(&answer, 1, MPI_CHAR, peer, kAnswerTag, x_.run.comm);
    }
  }

 private:
  Exchange& x_;
  bool sends_;
  std::vector<int> peers_;
  std::vector<MPI_Request> requests_;
};

}  // namespace

Result multiple_latency(Run& run, const Message& message, int) {
  const Pairs pairs(run);
  const Exchange x(run, message, pairs.peer);
  const auto send = [&](int i) { MPI_Send(x.send[i], message.count, message.type, x.peer, kTag, run.comm); };
  const auto receive = [&](int i) {
    MPI_Recv(x.receive[i], message.count, message.type, x.peer, kTag, run.comm, MPI_STATUS_IGNORE);
  };
  const auto ping = [&](int i) { send(i), receive(i); };
  const auto pong = [&](int i) { receive(i), send(i); };
  Timing timing = pairs.first ? measure(run, Pace::kTogether, ping, x.prepare(), x.check_one())
                              : measure(run, Pace::kTogether, pong, x.prepare(), x.check_one());
  return average_latency(run, timing, pairs.first, pairs.count, 2);
}

Result multiple_bandwidth(Run& run, const Message& message, int) {
  const Pairs pairs(run);
  Exchange x(run, message, pairs.peer);
  x.receives = !pairs.first && !pairs.idle;
  const auto timed = [&](auto body) { return measure(run, Pace::kTogether, body, x.prepare(), x.check_window()); };
  Timing timing = pairs.idle ? timed(Nothing()) : timed(Stream(x, pairs.first, {x.peer}));
  const double messages = static_cast<double>(pairs.count) * run.options.window_size();
  Result result = total_bandwidth(run, timing, pairs.first, pairs.count, messages * static_cast<double>(message.transmitted));
  result.values.push_back(messages * run.count.iterations / timing.seconds);
  return result;
}

namespace {

// -V: a column for each window size; two tables, of bandwidth and of the message rate.
void drive_varied(Run& run) {
  struct Row {
    size_t size;
    std::vector<double> rates;
  };
  const auto windows = [&] {
    std::printf("#      ");
    for (int window : kVariedWindows) std::printf("  %10d", window);
    std::printf("\n");
  };
  const auto row = [](size_t size, const std::vector<double>& values) {
    std::printf("%-7zu", size);
    for (double value : values) std::printf("  %10.2f", value);
    std::printf("\n");
    std::fflush(stdout);
  };
  const auto sizes = sizes_of(run);
  for (int base : types_of(run)) {
    const BaseType& type = base_types()[static_cast<size_t>(base)];
    std::vector<Row> rates;
    if (run.root()) {
      std::printf("\n# Uni-directional Bandwidth (MB/sec)\n# Datatype: %s.\n", type.name);
      windows();
    }
    for (size_t size : sizes) {
      if (size < type.size) continue;
      std::vector<double> bandwidths;
      rates.push_back({size, {}});
      for (int window : kVariedWindows) {
        run.options.window = window;
        Result result;
        const Message message(run.options, base, size);
        if (!measure_message(run, message, result)) return report_invalid(run, size);
        if (!run.root()) continue;
        bandwidths.push_back(result.values[0]);
        rates.back().rates.push_back(result.values[1]);
      }
      if (run.root()) row(size, bandwidths);
    }
    if (!run.root()) continue;
    std::printf("\n# Message Rate Profile\n");
    windows();
    for (const Row& r : rates) row(r.size, r.rates);
  }
}

}  // namespace

void drive_multiple_bandwidth(Run& run) {
  require_pairs(run);
  if (run.options.vary_window) {
    print_title(run);
    if (run.root()) std::printf("# [ pairs: %d ] [ window size: varied ]\n", Pairs(run).count);
    drive_varied(run);
  } else {
    drive_tables(run);
  }
}

namespace {

struct Nodes {
  int count = 0, mine = 0, local_rank = 0;
  std::vector<int> peers;  // of rank `local_rank` on node 0: the same local rank on the other nodes; of those: that on node 0
};

Nodes find_nodes(Run& run) {
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  MPI_Get_processor_name(name, &length);
  std::memset(name + length, 0, sizeof name - static_cast<size_t>(length));
  std::vector<char> names(sizeof name * static_cast<size_t>(run.size));
  MPI_Allgather(name, sizeof name, MPI_CHAR, names.data(), sizeof name, MPI_CHAR, run.comm);

  std::map<std::string, int> numbers;
  std::vector<std::vector<int>> ranks;
  Nodes nodes;
  for (int rank = 0; rank < run.size; ++rank) {
    const auto [it, added] =
        numbers.try_emplace(&names[sizeof name * static_cast<size_t>(rank)], static_cast<int>(ranks.size()));
    if (added) ranks.emplace_back();
    auto& members = ranks[static_cast<size_t>(it->second)];
    if (rank == run.rank) nodes.mine = it->second, nodes.local_rank = static_cast<int>(members.size());
    members.push_back(rank);
  }
  nodes.count = static_cast<int>(ranks.size());
  if (nodes.count < 2) quit(run, EXIT_FAILURE, "This test requires at least two nodes");
  for (const auto& members : ranks)
    if (members.size() != ranks[0].size())
      quit(run, EXIT_FAILURE, "This test requires the same number of processes on each node");
  for (size_t node = nodes.mine == 0 ? 1 : 0; node < (nodes.mine == 0 ? ranks.size() : 1); ++node)
    nodes.peers.push_back(ranks[node][static_cast<size_t>(nodes.local_rank)]);
  return nodes;
}

}  // namespace

void require_nodes(Run& run) { find_nodes(run); }

Result bandwidth_fan(Run& run, const Message& message, int fan) {
  const Nodes nodes = find_nodes(run);
  const bool sends = (nodes.mine == 0) == (fan == kFanOut);
  Exchange x(run, message, nodes.peers[0]);
  Timing timing = measure(run, Pace::kTogether, Stream(x, sends, nodes.peers));
  const int receivers_or_senders = run.size / nodes.count * (fan == kFanOut ? 1 : nodes.count - 1);
  const double messages = static_cast<double>(run.size / nodes.count) * (nodes.count - 1) * run.options.window_size();
  return total_bandwidth(run, timing, sends, receivers_or_senders, messages * static_cast<double>(message.transmitted));
}

}  // namespace omb
