// SPDX-License-Identifier: BSD-3-Clause
// Two ranks: latency (half a round trip) and bandwidth (windows of messages, answered by a short one).
#include "exchange.h"
#include "programs.h"

namespace omb {

constexpr int kTag = 1, kDataTag = 100, kAnswerTag = 101;

Result latency(Run& run, const Message& message, int) {
  const Exchange x(run, message, 1 - run.rank);
  const auto send = [&](int i) { MPI_Send(x.send[i], message.count, message.type, x.peer, kTag, run.comm); };
  const auto receive = [&](int i) {
    MPI_Recv(x.receive[i], message.count, message.type, x.peer, kTag, run.comm, MPI_STATUS_IGNORE);
  };
  const auto ping = [&](int i) { send(i), receive(i); };
  const auto pong = [&](int i) { receive(i), send(i); };
  const Timing timing = run.rank == 0 ? measure(run, Pace::kBackToBack, ping, x.prepare(), x.check_one())
                                      : measure(run, Pace::kBackToBack, pong, x.prepare(), x.check_one());
  return latency_result(run, timing, 2);
}

Result bandwidth(Run& run, const Message& message, int direction) {
  Exchange x(run, message, 1 - run.rank);
  const int window = run.options.window_size();
  std::vector<MPI_Request> requests(static_cast<size_t>(window) * 2);
  char answer = 0;
  const auto finish = [&](int messages) { MPI_Waitall(messages, requests.data(), MPI_STATUSES_IGNORE); };
  const auto receive = [&](MPI_Request* r) {
    for (int j = 0; j < window; ++j) MPI_Irecv(x.receive[j], message.count, message.type, x.peer, kDataTag, run.comm, &r[j]);
  };
  const auto send = [&](MPI_Request* r) {
    for (int j = 0; j < window; ++j) MPI_Isend(x.send[j], message.count, message.type, x.peer, kDataTag, run.comm, &r[j]);
  };
  const auto confirm = [&] { MPI_Send(&answer, 1, MPI_CHAR, x.peer, kAnswerTag, run.comm); };
  const auto await = [&] { MPI_Recv(&answer, 1, MPI_CHAR, x.peer, kAnswerTag, run.comm, MPI_STATUS_IGNORE); };
  const auto stream = [&](int) { send(requests.data()), finish(window), await(); };
  const auto drain = [&](int) { receive(requests.data()), finish(window), confirm(); };
  const auto both = [&](int) { receive(requests.data()), send(requests.data() + window), finish(2 * window); };
  const auto timed = [&](auto body) { return measure(run, Pace::kBackToBack, body, x.prepare(), x.check_window()); };

  x.receives = direction == kBothWays || run.rank == 1;
  const Timing timing = direction == kBothWays ? timed(both) : run.rank == 0 ? timed(stream) : timed(drain);
  const double messages = direction == kBothWays ? 2.0 * window : window;
  return bandwidth_result(run, timing, messages * static_cast<double>(message.transmitted));
}

}  // namespace omb
