// SPDX-License-Identifier: BSD-3-Clause
#include "launch/front.h"

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/error.h"
#include "launch/agent.h"
#include "launch/debugger.h"
#include "launch/process.h"

namespace starling::launch {

namespace {

constexpr int kForwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGUSR1, SIGUSR2};

// The signals to be handled: those forwarded, unless the shell made us ignore them (nohup), and our own.
sigset_t handled_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (int signal : kForwarded) {
    struct sigaction action;
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) sigaddset(&set, signal);
  }
  sigaddset(&set, SIGCHLD);
  sigaddset(&set, SIGRTMIN + kOrphanSignalOffset);
  return set;
}

// The life of the agent's process. Does not return to the caller's code.
[[noreturn]] void be_agent(const Plan& plan, ProcessTable& table, const sigset_t& signals, const sigset_t& rank_mask,
                           pid_t front, pid_t front_group) {
  // A group of its own: signals of the terminal reach the front only, which forwards them.
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGRTMIN + kOrphanSignalOffset);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  if (getppid() != front) _exit(128 + SIGKILL);
  int code = 1;
  try {
    code = Agent(plan, &table, signals, rank_mask, front_group).run();
  } catch (const Error& error) {
    std::fprintf(stderr, "mpiexec: %s\n", error.message.c_str());
    kill_descendants();
  }
  std::fflush(nullptr);
  _exit(code);
}

void pass_on(pid_t agent, const siginfo_t& info) {
  sigval value;
  value.sival_int = info.si_code == SI_KERNEL ? kFromTerminal : kFromProcess;
  sigqueue(agent, info.si_signo, value);
  // The shell wants to see that its job has stopped.
  if (info.si_signo == SIGTSTP) kill(getpid(), SIGSTOP);
}

}  // namespace

int run_job(const Plan& plan) {
  const pid_t front = getpid(), group = getpgrp();
  sigset_t signals = handled_signals(), before, blocked = signals;
  for (int signal : {SIGPIPE, SIGTTOU}) sigaddset(&blocked, signal);  // both come from writing, which reports them itself
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &standard, nullptr);  // ignored by the caller, it would hide how ranks end
  sigprocmask(SIG_BLOCK, &blocked, &before);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  ProcessTable table(plan.ranks());
  pid_t agent = fork();
  if (agent < 0) fail(kErrOther, "cannot make a process: %s", std::strerror(errno));
  if (agent == 0) be_agent(plan, table, signals, before, front, group);
  for (;;) {
    siginfo_t info;
    if (sigwaitinfo(&signals, &info) < 0) continue;
    if (info.si_signo != SIGCHLD) {
      pass_on(agent, info);
      continue;
    }
    table.serve(plan);
    int status;
    if (waitpid(agent, &status, WNOHANG) != agent) continue;
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    std::fprintf(stderr, "mpiexec: the agent, process %d, was killed by signal %d; the job is ended\n", static_cast<int>(agent),
                 WTERMSIG(status));
    kill_descendants();  // the ranks die with the agent; what they started has become ours
    return 128 + WTERMSIG(status);
  }
}

}  // namespace starling::launch
