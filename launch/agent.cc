// SPDX-License-Identifier: BSD-3-Clause
// The agent's second half: waiting for what happens to the ranks, and the end of the job.
#include "launch/agent.h"

#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/settings.h"
#include "launch/process.h"
#include "profile/report.h"

namespace starling::launch {

namespace {

using std::chrono::milliseconds;

// Between SIGTERM and SIGKILL when a rank has failed: the job is to be over within a second.
constexpr milliseconds kTermToKill{250};
// The same when the user ends the job by a signal, which programs may want to handle (write a checkpoint ...).
constexpr milliseconds kInterruptToKill{5000};
// How long to wait for a wrapper to tell how its MPI process ended.
constexpr milliseconds kWrapperGrace{100};
// How often to look whether ranks have told their process ids. Only until they have.
constexpr milliseconds kLookInterval{100};
// How often to look whether ranks hang, if the user wants to know.
constexpr milliseconds kHangInterval{1000};
// How long processes that the ranks left behind may take to end by themselves; then SIGTERM, then SIGKILL.
constexpr milliseconds kLeftoverTerm{200}, kLeftoverKill{300};

// Exit codes have eight bits: a failure must not turn into success.
int exit_code_of_abort(int code) { return code != 0 && (code & 0xff) == 0 ? 1 : code & 0xff; }

int shell_code(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

}  // namespace

int Agent::run() {
  if (plan_.timeout_seconds > 0) job_deadline_ = Clock::now() + std::chrono::seconds(plan_.timeout_seconds);
  look_time_ = Clock::now() + kLookInterval;
  if (settings().hang_timeout > 0) hang_time_ = Clock::now() + kHangInterval;
  if (start_ranks()) {
    hand_over_processes();
    report(SpawnReport::Event::kStarted, 0);
  }
  while (running_ > 0 || !spawned_.empty() || serves_singleton()) serve_once();
  return finish();
}

// To the front, where debuggers look for them; one that started mpiexec lets the ranks go on when it has attached to them.
void Agent::hand_over_processes() {
  if (!table_) return;
  std::vector<pid_t> processes;
  for (const Rank& rank : ranks_) processes.push_back(rank.process);
  table_->publish(processes);
  if (table_->holds()) release_time_ = Clock::now() + kLookInterval;
}

void Agent::let_go_on() {
  release_time_ = table_->released() ? Clock::time_point::max() : Clock::now() + kLookInterval;
  if (table_->released()) job_.header().held.store(0, std::memory_order_release);
}

void Agent::serve_once() {
  std::vector<pollfd> set = {{signal_fd_, POLLIN, 0}};
  for (int rank = 0; rank < plan_.ranks(); ++rank) {
    short wanted = static_cast<short>(POLLIN | (pmi_.wants_to_write(rank) ? POLLOUT : 0));
    set.push_back({pmi_.fd(rank), wanted, 0});
    set.push_back({ranks_[index(rank)].inner_fd, POLLIN, 0});
  }
  std::size_t spawned_at = set.size();
  add_spawned_to(set);
  std::size_t output_at = set.size();
  output_.add_to(set);
  if (poll(set.data(), set.size(), next_timeout()) < 0) return;
  // Output and PMI first: what a rank said before it died counts.
  output_.serve(set, output_at);
  for (int rank = 0; rank < plan_.ranks(); ++rank) {
    if (set[1 + 2 * index(rank)].revents & POLLOUT) pmi_.writable(rank);
    if (pmi_.fd(rank) >= 0 && set[1 + 2 * index(rank)].revents & (POLLIN | POLLHUP)) pmi_.readable(rank);
    if (set[2 + 2 * index(rank)].revents) inner_process_ended(ranks_[index(rank)]);
  }
  serve_spawned(set, spawned_at);
  if (set[0].revents) serve_signals();
  serve_clock();
}

// Milliseconds until something is due, rounded up.
int Agent::next_timeout() const {
  auto next = std::min({job_deadline_, kill_time_, look_time_, hang_time_, release_time_});
  for (const Rank& rank : ranks_)
    if (rank.running && rank.inner_ended) next = std::min(next, rank.inner_deadline);
  if (next == Clock::time_point::max()) return -1;
  auto left = std::chrono::duration_cast<milliseconds>(next - Clock::now()).count() + 1;
  return static_cast<int>(std::clamp<long long>(left, 0, 60000));
}

void Agent::serve_clock() {
  auto now = Clock::now();
  if (now >= look_time_) look_for_inner_processes();
  if (now >= release_time_) let_go_on();
  if (now >= hang_time_) {
    hang_watch_.look(job_, plan_.ranks());
    hang_time_ = now + kHangInterval;
  }
  for (int rank = 0; rank < plan_.ranks(); ++rank) {
    Rank& record = ranks_[index(rank)];
    if (!record.running || !record.inner_ended || now < record.inner_deadline) continue;
    record.inner_ended = false;
    if (job_.slot(static_cast<std::uint32_t>(rank)).state.load(std::memory_order_acquire) == RankState::kInitialized)
      end_job(1,
              describe(rank) + ": its process " + std::to_string(record.inner_process) + " ended without calling MPI_Finalize");
  }
  if (now >= job_deadline_) {
    job_deadline_ = Clock::time_point::max();
    end_job(124, "the job ran longer than its limit of " + std::to_string(plan_.timeout_seconds) + " s");
  }
  if (now >= kill_time_) {
    if (phase_ == Phase::kInterrupted)
      end_job(-1, std::to_string(running_) + " ranks did not end after the signal and are killed");
    kill_ranks();
    kill_time_ = now + milliseconds(10);  // again: a process may have forked meanwhile
  }
}

void Agent::serve_signals() {
  signalfd_siginfo info;
  while (read(signal_fd_, &info, sizeof info) == sizeof info) {
    bool from_front = info.ssi_code == SI_QUEUE && info.ssi_pid == static_cast<std::uint32_t>(getppid());
    serve_signal(static_cast<int>(info.ssi_signo), from_front && info.ssi_int == kFromTerminal ? kFromTerminal : kFromProcess);
  }
  check_abort();
  reap();
}

void Agent::serve_signal(int signal, SignalOrigin origin) {
  if (signal == SIGCHLD) return;  // from the kernel or a rank that aborts: looked at afterwards in any case
  if (signal == SIGRTMIN + kOrphanSignalOffset) {
    if (phase_ != Phase::kEnding) end_job(128 + SIGKILL, "mpiexec itself was killed");
    kill_ranks();
    return;
  }
  bool ends = signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT;
  if (!ends) return forward(signal, origin);
  if (phase_ == Phase::kRunning) {
    phase_ = Phase::kInterrupted;
    kill_time_ = Clock::now() + kInterruptToKill;
    forward(signal, origin);
  } else {
    kill_time_ = Clock::now();  // the user insists
  }
}

void Agent::forward(int signal, SignalOrigin origin) {
  for (const SpawnedJob& job : spawned_) kill(job.agent, signal);
  for (const Rank& rank : ranks_) {
    if (!rank.running) continue;
    if (!rank.shares_terminal)
      kill(-rank.process, signal);
    else if (origin != kFromTerminal)
      kill(rank.process, signal);  // else the terminal has told it already
  }
}

void Agent::rank_aborted(int rank, int code) {
  end_job(exit_code_of_abort(code), describe(rank) + " aborted the job with code " + std::to_string(code));
}

void Agent::check_abort() {
  JobHeader& header = job_.header();
  if (header.abort_state.load(std::memory_order_acquire) != 2 || phase_ == Phase::kEnding) return;
  int rank = std::clamp(header.abort_rank, 0, plan_.ranks() - 1);
  rank_aborted(rank, header.abort_code);
}

void Agent::reap() {
  int status;
  for (pid_t process; (process = waitpid(-1, &status, WNOHANG)) > 0;) {
    auto found = std::find_if(ranks_.begin(), ranks_.end(), [process](const Rank& rank) { return rank.process == process; });
    if (found == ranks_.end() && spawned_ended(process, status)) continue;
    if (found != ranks_.end() && found->running) rank_ended(static_cast<int>(found - ranks_.begin()), status);
  }
}

void Agent::rank_ended(int rank, int status) {
  Rank& record = ranks_[index(rank)];
  record.running = false;
  record.code = shell_code(status);
  --running_;
  if (record.inner_fd >= 0) close(record.inner_fd);
  record.inner_fd = -1;
  if (phase_ != Phase::kRunning) return;
  RankState state = job_.slot(static_cast<std::uint32_t>(rank)).state.load(std::memory_order_acquire);
  bool inside = state == RankState::kInitialized || pmi_.joined(rank);
  bool finalized = state == RankState::kFinalized || pmi_.left(rank);
  std::string reason;
  if (WIFSIGNALED(status)) {
    reason = " was killed by signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
  } else if (record.code != 0 && !finalized) {
    reason = " exited with code " + std::to_string(record.code) + (inside ? " without calling MPI_Finalize" : "");
  } else if (inside) {
    reason = " exited without calling MPI_Finalize";
  }
  if (reason.empty()) return;
  int code = record.code != 0 ? record.code : 1;
  if (plan_.options.auto_cleanup) return end_job(code, describe(rank) + reason);
  std::fprintf(stderr, "mpiexec: %s%s\n", describe(rank).c_str(), reason.c_str());
  record.code = code;
}

// A rank whose MPI process is not our child: watch that process too, because its parent may not tell how it ends.
void Agent::look_for_inner_processes() {
  bool again = false;
  for (int rank = 0; rank < plan_.ranks(); ++rank) {
    Rank& record = ranks_[index(rank)];
    if (!record.running || record.seen) continue;
    auto process = static_cast<pid_t>(job_.slot(static_cast<std::uint32_t>(rank)).pid.load(std::memory_order_acquire));
    record.seen = process != 0;
    again = again || process == 0;
    if (process != 0 && process != record.process) watch_inner_process(record, process);
  }
  look_time_ = again ? Clock::now() + kLookInterval : Clock::time_point::max();
}

void Agent::watch_inner_process(Rank& rank, pid_t process) {
  rank.inner_process = process;
  if (is_descendant(process)) {
    rank.inner_fd = static_cast<int>(syscall(SYS_pidfd_open, process, 0));  // -1 on old kernels: the wrapper's end must do
  } else if (shares_process_numbers(rank.process)) {                        // else the number is from a container
    inner_process_ended(rank);
  }
}

void Agent::inner_process_ended(Rank& rank) {
  if (rank.inner_fd >= 0) close(rank.inner_fd);
  rank.inner_fd = -1;
  rank.inner_ended = true;
  rank.inner_deadline = Clock::now() + kWrapperGrace;
}

// code -1: the ranks' own codes decide.
void Agent::end_job(int code, const std::string& reason) {
  if (phase_ == Phase::kEnding) return;
  std::fprintf(stderr, "mpiexec: %s; the job is ended\n", reason.c_str());
  phase_ = Phase::kEnding;
  job_code_ = code;
  kill_time_ = Clock::now() + kTermToKill;
  if (concerns_parents()) report(SpawnReport::Event::kFailed, code);
  for (const SpawnedJob& job : spawned_) kill(job.agent, SIGTERM);
  for (const Rank& rank : ranks_) {
    if (!rank.running) continue;
    pid_t whom = rank.shares_terminal ? rank.process : -rank.process;
    kill(whom, SIGTERM);
    kill(whom, SIGCONT);  // a stopped process must wake to end
  }
}

void Agent::kill_ranks() {
  for (const Rank& rank : ranks_)
    if (rank.running) kill(rank.process, SIGKILL);
  for (pid_t process : descendants(getpid())) kill(process, SIGKILL);
}

// Processes that ranks started and left running have become our children.
void Agent::let_leftovers_end() {
  const auto start = Clock::now();
  for (bool told = false; Clock::now() - start < kLeftoverKill; usleep(1000)) {
    pid_t reaped;
    while ((reaped = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (reaped < 0 && errno == ECHILD) return;
    if (phase_ == Phase::kEnding) break;
    if (!told && Clock::now() - start >= kLeftoverTerm) {
      told = true;
      for (pid_t process : descendants(getpid())) kill(process, SIGTERM);
    }
    output_.drain(0);
  }
  kill_descendants();
}

int Agent::finish() {
  let_leftovers_end();
  output_.drain(1000);
  if (profile_fd_ >= 0) profile::report(profile_, settings().profile_file, plan_.profile_suffix);
  int code = spawned_code_;
  std::string codes;
  for (const Rank& rank : ranks_) {
    code = std::max(code, rank.code);
    if (!codes.empty()) codes += ',';
    codes += std::to_string(rank.code);
  }
  if (plan_.options.print_exit_codes) std::fprintf(stderr, "Exit codes: [%s] %s\n", plan_.host.c_str(), codes.c_str());
  return job_code_ >= 0 ? job_code_ : code;
}

std::string Agent::describe(int rank) const {
  return "rank " + std::to_string(rank) + " on host " + plan_.host + " (" + program_of(rank).words[0] + ", process " +
         std::to_string(ranks_[index(rank)].process) + ")";
}

}  // namespace starling::launch
