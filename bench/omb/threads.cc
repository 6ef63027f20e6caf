// SPDX-License-Identifier: BSD-3-Clause
// Latency between several threads of two ranks, and between ranks that have forked.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <thread>

#include "exchange.h"
#include "programs.h"

namespace omb {
namespace {

constexpr int kRequestTag = 1000, kReplyTag = 2000;
constexpr unsigned kChildSleep = 2;  // seconds

int senders_of(const Run& run, int otherwise) { return run.options.senders.value_or(otherwise); }
int receivers_of(const Run& run) { return run.options.receivers.value_or(2); }

// One thread's buffers.
struct Lane {
  std::vector<char> send, receive;
  Timing timing;
};

}  // namespace

void announce_threads(Run& run) {
  const int senders = senders_of(run, 1), receivers = receivers_of(run);
  if (run.options.validate && senders != receivers)
    quit(run, EXIT_FAILURE, "Validation needs as many sender as receiver threads");
  if (run.root()) std::printf("# Number of Sender threads: %d \n# Number of Receiver threads: %d\n", senders, receivers);
}

// Every thread of rank 0 sends and waits for an answer; whichever thread of rank 1 gets the message answers. With validation,
// thread t talks to thread t.
Result latency_mt(Run& run, const Message& message, int) {
  const int senders = senders_of(run, 1), receivers = receivers_of(run), threads = run.rank == 0 ? senders : receivers;
  const bool validate = run.options.validate;
  const int peer = 1 - run.rank;
  const long round_trips =
      static_cast<long>(run.count.warmup + run.count.iterations) * (validate ? run.options.validation_warmup + 1 : 1);
  std::vector<Lane> lanes(static_cast<size_t>(threads));

  const auto work = [&](int t) {
    Lane& lane = lanes[static_cast<size_t>(t)];
    lane.send.assign(message.extent + 1, 1);
    lane.receive.assign(message.extent + 1, 1);
    const int channel = validate ? t : 0;
    const auto send = [&](int tag) { MPI_Send(lane.send.data(), message.count, message.type, peer, tag + channel, run.comm); };
    const auto receive = [&](int tag) {
      MPI_Recv(lane.receive.data(), message.count, message.type, peer, tag + channel, run.comm, MPI_STATUS_IGNORE);
    };
    const auto ping = [&](int) { send(kRequestTag), receive(kReplyTag); };
    const auto pong = [&](int) { receive(kRequestTag), send(kReplyTag); };
    const auto prepare = [&](int i) {
      fill(lane.send.data(), message, run.rank, peer, i);
      spoil(lane.receive.data(), message);
    };
    const auto check = [&](int i) { return Checker(run, message, i).from(lane.receive.data(), peer, run.rank); };
    if (run.rank == 0) {
      lane.timing = measure(run, Pace::kBackToBack, ping, prepare, check);
    } else if (validate) {
      lane.timing = measure(run, Pace::kBackToBack, pong, prepare, check);
    } else {  // an equal share of all messages
      const long all = round_trips * senders, mine = all / receivers + (t < all % receivers);
      for (long n = 0; n < mine; ++n) pong(0);
    }
  };
  std::vector<std::thread> others;
  for (int t = 1; t < threads; ++t) others.emplace_back(work, t);
  work(0);
  for (std::thread& thread : others) thread.join();

  Timing timing = lanes[0].timing;
  for (size_t t = 1; t < lanes.size(); ++t) {
    timing.seconds += lanes[t].timing.seconds;
    timing.valid &= lanes[t].timing.valid;
    for (size_t i = 0; i < timing.samples.size(); ++i) timing.samples[i] += lanes[t].timing.samples[i];
  }
  timing.seconds /= threads;
  for (double& sample : timing.samples) sample /= threads;
  return latency_result(run, timing, 2);
}

// Children that only sleep: the latency test of their parent has to stand that memory is shared copy-on-write. They leave
// without MPI_Finalize, which is the parent's to call.
void drive_processes(Run& run) {
  const int senders = senders_of(run, 2), receivers = receivers_of(run);
  if (run.root()) std::fflush(stdout);
  std::vector<pid_t> children;
  for (int n = 0; n < (run.rank == 0 ? senders : receivers); ++n) {
    const pid_t child = fork();
    if (child == 0) {
      sleep(kChildSleep);
      _exit(EXIT_SUCCESS);
    }
    if (child > 0)
      children.push_back(child);
    else
      std::perror("fork");
  }
  drive_tables(run);
  for (pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS) {
      std::fprintf(stderr, "A forked process of rank %d did not end well\n", run.rank);
      run.status = EXIT_FAILURE;
    }
  }
}

void announce_processes(Run& run) {
  if (run.root())
    std::printf("# Number of forked processes in sender: %d\n# Number of forked processes in receiver: %d\n",
                senders_of(run, 2), receivers_of(run));
}

}  // namespace omb
