// SPDX-License-Identifier: BSD-3-Clause
// Jobs that ranks spawn. Each gets an agent of its own, a child of the agent that is asked: it does for its job all that an
// agent does, and the tree of processes stays the tree of who cleans up after whom (doc/dynamic.md).
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "launch/agent.h"
#include "launch/process.h"

namespace starling::launch {

namespace {

void close_if_open(int fd) {
  if (fd >= 0) close(fd);
}

}  // namespace

void Agent::spawn_job(int rank, const std::vector<SpawnBlock>& blocks) {
  int reports[2] = {-1, -1}, names[2] = {-1, -1};
  try {
    Plan plan = plan_spawn(plan_, blocks, running_);
    plan.profile_suffix = plan_.profile_suffix + ".spawned" + std::to_string(++spawn_count_);
    if (pipe2(reports, O_CLOEXEC) != 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, names) != 0)
      fail(kErrOther, "cannot connect to a new agent: %s", std::strerror(errno));
    std::fflush(nullptr);  // not twice
    const pid_t parent = getpid(), agent = fork();
    if (agent < 0) fail(kErrOther, "cannot make a process: %s", std::strerror(errno));
    if (agent == 0) become_agent(plan, {reports[1], names[1], blocks[0].preput}, parent);
    close(reports[1]);
    close(names[1]);
    fcntl(reports[0], F_SETFL, O_NONBLOCK);
    spawned_.push_back({agent, reports[0], names[0], rank, false, {}});
  } catch (const Error& error) {
    for (int fd : {reports[0], reports[1], names[0], names[1]}) close_if_open(fd);
    pmi_.spawned(rank, -1, error.message);
  }
}

// The life of the new agent, in a copy of the one that was asked.
void Agent::become_agent(const Plan& plan, const Origin& origin, pid_t parent) const {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGRTMIN + kOrphanSignalOffset);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (getppid() != parent) _exit(128 + SIGKILL);
  close_all_but({0, 1, 2, origin.report_fd, origin.names_fd});
  setrlimit(RLIMIT_NOFILE, &file_limit_);  // the user's
  int code = 1;
  try {
    code = Agent(plan, nullptr, signals_, rank_mask_, front_group_, origin).run();
  } catch (const Error& error) {
    std::fprintf(stderr, "mpiexec: %s\n", error.message.c_str());
    kill_descendants();
  }
  std::fflush(nullptr);
  _exit(code);
}

void Agent::add_spawned_to(std::vector<pollfd>& set) const {
  for (const SpawnedJob& job : spawned_) {
    set.push_back({job.report_fd, POLLIN, 0});
    set.push_back({job.names_fd, POLLIN, 0});
  }
}

void Agent::serve_spawned(const std::vector<pollfd>& set, std::size_t first) {
  // The set knows those that were there before; a rank may have spawned another one since, at the end.
  for (std::size_t i = 0; first + 2 * i + 1 < set.size() && i < spawned_.size(); ++i) {
    SpawnedJob& job = spawned_[i];
    if (set[first + 2 * i].fd != job.report_fd) break;  // from here on it is the output's
    if (set[first + 2 * i].revents) read_report(job);
    if (set[first + 2 * i + 1].revents) answer_names(job);
  }
  if (plan_.options.singleton_fd >= 0 && pmi_.fd(0) < 0 && !pmi_.left(0) && !spawned_.empty())
    end_job(1, "the process that has spawned this job has died");
}

void Agent::read_report(SpawnedJob& job) {
  SpawnReport report;
  ssize_t n;
  while ((n = read(job.report_fd, &report, sizeof report)) == sizeof report) {
    if (report.event == SpawnReport::Event::kStarted) {
      job.started = true;
      pmi_.spawned(job.rank, job.agent, "");
    } else {
      end_job(report.code, "a job that rank " + std::to_string(job.rank) + " has spawned has failed");
    }
  }
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  close(job.report_fd);
  job.report_fd = -1;
}

void Agent::answer_names(SpawnedJob& job) {
  char buffer[2048];
  const ssize_t n = recv(job.names_fd, buffer, sizeof buffer, MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) {
    close(job.names_fd);
    job.names_fd = -1;
    return;
  }
  job.names_input.append(buffer, static_cast<std::size_t>(n));
  for (std::size_t end; (end = job.names_input.find('\n')) != std::string::npos; job.names_input.erase(0, end + 1)) {
    const std::string answer = pmi_.names().serve(job.names_input.substr(0, end));
    send(job.names_fd, answer.data(), answer.size(), MSG_NOSIGNAL);
  }
}

// True if the process was the agent of a spawned job.
bool Agent::spawned_ended(pid_t agent, int status) {
  auto job = std::find_if(spawned_.begin(), spawned_.end(), [agent](const SpawnedJob& known) { return known.agent == agent; });
  if (job == spawned_.end()) return false;
  if (job->report_fd >= 0) read_report(*job);  // what it has said last
  if (!job->started) pmi_.spawned(job->rank, -1, "it could not be started");
  close_if_open(job->report_fd);
  close_if_open(job->names_fd);
  const int rank = job->rank;
  spawned_.erase(job);
  if (WIFSIGNALED(status))
    end_job(128 + WTERMSIG(status), "the agent of a job that rank " + std::to_string(rank) + " has spawned was killed");
  else
    spawned_code_ = std::max(spawned_code_, WEXITSTATUS(status));
  return true;
}

void Agent::report(SpawnReport::Event event, int code) const {
  const SpawnReport report{event, static_cast<std::uint8_t>(code)};
  if (is_spawned() && write(origin_.report_fd, &report, sizeof report) < 0)
    std::fprintf(stderr, "mpiexec: cannot reach the agent of the parent job: %s\n", std::strerror(errno));
}

// Whether some rank of this spawned job is still connected to those who spawned it.
bool Agent::concerns_parents() const {
  return is_spawned() && job_.header().disconnected.load(std::memory_order_acquire) < static_cast<std::uint32_t>(plan_.ranks());
}

}  // namespace starling::launch
