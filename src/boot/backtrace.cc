// SPDX-License-Identifier: BSD-3-Clause
#include "boot/backtrace.h"

#include <execinfo.h>
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <initializer_list>

namespace starling::boot {

namespace {

int my_rank = 0;

// Async-signal-safe: backtrace() was called once before, so that its library is loaded.
void show(int signal_number) {
  char line[128];
  int length = std::snprintf(line, sizeof line, "starling: rank %d (process %d) got signal %d (%s):\n", my_rank,
                             static_cast<int>(getpid()), signal_number, sigabbrev_np(signal_number));
  if (write(STDERR_FILENO, line, static_cast<std::size_t>(length)) < 0) return;
  void* frames[64];
  backtrace_symbols_fd(frames, backtrace(frames, 64), STDERR_FILENO);
  raise(signal_number);  // SA_RESETHAND has restored the default
}

}  // namespace

void install_backtrace(int rank) {
  my_rank = rank;
  void* frame;
  backtrace(&frame, 1);
  for (int signal_number : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) {
    struct sigaction old, action{};
    if (sigaction(signal_number, nullptr, &old) != 0 || old.sa_handler != SIG_DFL) continue;
    action.sa_handler = &show;
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
    sigaction(signal_number, &action, nullptr);
  }
}

}  // namespace starling::boot
