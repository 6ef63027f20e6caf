// SPDX-License-Identifier: BSD-3-Clause
// Two ranks with requests that are made once per size: persistent and partitioned.
#include "exchange.h"
#include "programs.h"

namespace omb {
namespace {

constexpr int kTag = 1, kDataTag = 100, kAnswerTag = 101;

// Persistent requests, freed at the end.
class Requests {
 public:
  ~Requests() {
    for (MPI_Request& request : all_) MPI_Request_free(&request);
  }
  MPI_Request* add() { return &all_.emplace_back(MPI_REQUEST_NULL); }
  void start() { MPI_Startall(static_cast<int>(all_.size()), all_.data()); }
  void wait() { MPI_Waitall(static_cast<int>(all_.size()), all_.data(), MPI_STATUSES_IGNORE); }
  MPI_Request& operator[](int i) { return all_[static_cast<size_t>(i) % all_.size()]; }

 private:
  std::vector<MPI_Request> all_;
};

void start_and_wait(MPI_Request& request) {
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

}  // namespace

Result latency_persistent(Run& run, const Message& message, int) {
  const Exchange x(run, message, 1 - run.rank);
  Requests sends, receives;
  for (size_t n = 0; n < x.send.number; ++n) {
    const int j = static_cast<int>(n);
    MPI_Send_init(x.send[j], message.count, message.type, x.peer, kTag, run.comm, sends.add());
    MPI_Recv_init(x.receive[j], message.count, message.type, x.peer, kTag, run.comm, receives.add());
  }
  const auto ping = [&](int i) { start_and_wait(sends[i]), start_and_wait(receives[i]); };
  const auto pong = [&](int i) { start_and_wait(receives[i]), start_and_wait(sends[i]); };
  const Timing timing = run.rank == 0 ? measure(run, Pace::kBackToBack, ping, x.prepare(), x.check_one())
                                      : measure(run, Pace::kBackToBack, pong, x.prepare(), x.check_one());
  return latency_result(run, timing, 2);
}

Result bandwidth_persistent(Run& run, const Message& message, int direction) {
  Exchange x(run, message, 1 - run.rank);
  const int window = run.options.window_size();
  const bool both = direction == kBothWays, sends = both || run.rank == 0;
  x.receives = both || run.rank == 1;
  Requests requests;
  if (x.receives)
    for (int j = 0; j < window; ++j)
      MPI_Recv_init(x.receive[j], message.count, message.type, x.peer, kDataTag, run.comm, requests.add());
  if (sends)
    for (int j = 0; j < window; ++j)
      MPI_Send_init(x.send[j], message.count, message.type, x.peer, kDataTag, run.comm, requests.add());
  char answer = 0;
  const auto body = [&](int) {
    requests.start();
    requests.wait();
    if (both) return;
    if (sends)
      MPI_Recv(&answer, 1, MPI_CHAR, x.peer, kAnswerTag, run.comm, MPI_STATUS_IGNORE);
    else
      MPI_Send(&answer, 1, MPI_CHAR, x.peer, kAnswerTag, run.comm);
  };
  const Timing timing = measure(run, Pace::kBackToBack, body, x.prepare(), x.check_window());
  return bandwidth_result(run, timing, (both ? 2.0 : 1.0) * window * static_cast<double>(message.transmitted));
}

#if MPI_VERSION >= 4
// A message in equal partitions; those of a message with fewer elements than partitions are its elements.
Result latency_partitioned(Run& run, const Message& message, int) {
  const Exchange x(run, message, 1 - run.rank);
  const int elements = message.count;
  int partitions = run.options.partitions;
  while (partitions > 1 && elements % partitions) --partitions;
  const MPI_Count each = elements / partitions;
  Requests sends, receives;
  for (size_t n = 0; n < x.send.number; ++n) {
    const int j = static_cast<int>(n);
    MPI_Psend_init(x.send[j], partitions, each, message.type, x.peer, kTag, run.comm, MPI_INFO_NULL, sends.add());
    MPI_Precv_init(x.receive[j], partitions, each, message.type, x.peer, kTag, run.comm, MPI_INFO_NULL, receives.add());
  }
  const auto send = [&](int i) {
    MPI_Start(&sends[i]);
    for (int partition = 0; partition < partitions; ++partition) MPI_Pready(partition, sends[i]);
    MPI_Wait(&sends[i], MPI_STATUS_IGNORE);
  };
  const auto ping = [&](int i) { send(i), start_and_wait(receives[i]); };
  const auto pong = [&](int i) { start_and_wait(receives[i]), send(i); };
  const Timing timing = run.rank == 0 ? measure(run, Pace::kBackToBack, ping, x.prepare(), x.check_one())
                                      : measure(run, Pace::kBackToBack, pong, x.prepare(), x.check_one());
  return latency_result(run, timing, 2);
}
#endif

}  // namespace omb
