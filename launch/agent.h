// SPDX-License-Identifier: BSD-3-Clause
// The agent: the process that starts the ranks of this host, watches them, and ends the job when one of them fails. mpiexec
// itself (front.h) only waits for it; so whichever of the two is killed, the other one cleans up.
#pragma once

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/job.h"
#include "launch/debugger.h"
#include "launch/hang.h"
#include "launch/output.h"
#include "launch/plan.h"
#include "launch/pmi.h"
#include "profile/segment.h"

namespace starling::launch {

// Signals between front and agent beside those of the user. A rank that aborts the job sends SIGCHLD (base/job.h).
inline constexpr int kOrphanSignalOffset = 2;  // to the agent: the front is gone
// The value that goes with a forwarded signal (sigqueue).
enum SignalOrigin : int { kFromProcess = 0, kFromTerminal = 1 };

// What a job that a rank of another job has spawned has beside its plan.
struct Origin {
  int report_fd = -1;  // to the agent of that job: SpawnReports; -1: the job comes from the command line
  int names_fd = -1;   // to its names
  SpawnBlock::Pairs preput;
};
struct SpawnReport {
  enum class Event : std::uint8_t { kStarted, kFailed };
  Event event;        // kFailed: the job ends badly, and that concerns those who spawned it
  std::uint8_t code;  // exit code then
};

class Agent final : private PmiOwner {
 public:
  // `table`: for debuggers, who are told of the job from the command line only, or nullptr; `signals`: blocked ones that the
  // agent handles; `rank_mask`: the signal mask that ranks start with; `front_group`: the process group of mpiexec.
  Agent(const Plan& plan, ProcessTable* table, const sigset_t& signals, const sigset_t& rank_mask, pid_t front_group,
        const Origin& origin = {});
  ~Agent();
  Agent(const Agent&) = delete;

  // Runs the job to its end and returns the exit code for mpiexec.
  int run();

 private:
  using Clock = std::chrono::steady_clock;

  struct Rank {
    pid_t process = -1;  // our child; -1: not started
    bool running = false;
    bool shares_terminal = false;  // in the front's process group, because it reads the terminal
    int code = 0;                  // exit code in the shell's way, once it has ended
    // The process that called MPI_Init, if it is not our child (a shell or debugger stands between).
    bool seen = false;  // we know which process it is
    int inner_fd = -1;  // pidfd
    pid_t inner_process = 0;
    bool inner_ended = false;
    Clock::time_point inner_deadline;
  };
  // A job that one of the ranks has spawned: it has an agent of its own, our child.
  struct SpawnedJob {
    pid_t agent;
    int report_fd;
    int names_fd;
    int rank;              // that spawned it
    bool started = false;  // and the rank has been told
    std::string names_input;
  };
  enum class Phase {
    kRunning,
    kInterrupted,  // a signal of the user ends the job; the ranks are given time
    kEnding,       // the launcher ends the job: SIGTERM was sent, SIGKILL follows
  };
  static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }

  // agent_start.cc
  void make_segment();
  void make_profile_segment();
  bool start_ranks();
  bool start_rank(int rank, int null_fd);
  std::vector<std::string> rank_environment(int rank, int pmi_fd) const;

  // agent_spawn.cc
  void spawn_job(int rank, const std::vector<SpawnBlock>& blocks) override;
  [[noreturn]] void become_agent(const Plan& plan, const Origin& origin, pid_t parent) const;
  void add_spawned_to(std::vector<pollfd>& set) const;
  void serve_spawned(const std::vector<pollfd>& set, std::size_t first);
  void read_report(SpawnedJob& job);
  void answer_names(SpawnedJob& job);
  bool spawned_ended(pid_t agent, int status);
  void report(SpawnReport::Event event, int code) const;
  bool concerns_parents() const;
  bool serves_singleton() const { return plan_.options.singleton_fd >= 0 && pmi_.fd(0) >= 0; }
  bool is_spawned() const { return origin_.report_fd >= 0; }

  // agent.cc
  void serve_once();
  int next_timeout() const;
  void serve_clock();
  void hand_over_processes();
  void let_go_on();
  void serve_signals();
  void serve_signal(int signal, SignalOrigin origin);
  void forward(int signal, SignalOrigin origin);
  void rank_aborted(int rank, int code) override;
  void check_abort();
  void reap();
  void rank_ended(int rank, int status);
  void look_for_inner_processes();
  void watch_inner_process(Rank& rank, pid_t process);
  void inner_process_ended(Rank& rank);
  void end_job(int code, const std::string& reason);
  void kill_ranks();
  void let_leftovers_end();
  int finish();

  std::string describe(int rank) const;  // "rank 3 on host n1 (./a.out, process 123)"
  const PlannedProgram& program_of(int rank) const { return plan_.programs[index(plan_.program_of[index(rank)])]; }

  const Plan& plan_;
  ProcessTable* const table_;
  const sigset_t signals_;
  const sigset_t rank_mask_;
  const pid_t front_group_;
  const Origin origin_;
  rlimit file_limit_{};
  int signal_fd_ = -1;
  int segment_fd_ = -1;
  JobMapping job_;
  int profile_fd_ = -1;
  profile::Segment profile_;
  PmiServer pmi_;
  Output output_;
  std::vector<Rank> ranks_;
  std::vector<SpawnedJob> spawned_;
  int spawn_count_ = 0;   // how many there have been
  int spawned_code_ = 0;  // the largest exit code of those that have ended
  int running_ = 0;
  Phase phase_ = Phase::kRunning;
  int job_code_ = -1;  // -1: the ranks' own codes decide
  Clock::time_point job_deadline_ = Clock::time_point::max();
  Clock::time_point kill_time_ = Clock::time_point::max();
  Clock::time_point look_time_ = Clock::time_point::max();
  HangWatch hang_watch_;
  Clock::time_point release_time_ = Clock::time_point::max();  // of the next look whether a debugger lets the ranks go on
  Clock::time_point hang_time_ = Clock::time_point::max();     // of the next look; never without MVP_HANG_TIMEOUT
};

}  // namespace starling::launch
