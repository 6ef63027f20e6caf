// SPDX-License-Identifier: BSD-3-Clause
// Starting one process, and finding and ending the processes that came out of it.
#pragma once

#include <signal.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <initializer_list>
#include <string>
#include <vector>

namespace starling::launch {

struct SpawnRequest {
  const char* path = nullptr;                 // program file; relative to `directory` if it is relative
  char* const* words = nullptr;               // argv
  char* const* environment = nullptr;         // envp
  const char* directory = nullptr;            // nullptr: stay
  int standard[3] = {-1, -1, -1};             // descriptors to become stdin, stdout, stderr; -1: as the launcher's
  int kept_fd = -1;                           // a close-on-exec descriptor that the program shall have
  const unsigned long* processors = nullptr;  // affinity mask; nullptr: not bound
  std::size_t processors_bytes = 0;
  pid_t process_group = 0;                // 0: a group of its own
  const sigset_t* signal_mask = nullptr;  // nullptr: as the caller's
  const rlimit* file_limit = nullptr;     // number of descriptors; nullptr: as the caller's
};

struct SpawnFailure {
  const char* step = nullptr;  // what failed ("start the program"); nullptr: nothing
  int error = 0;               // errno
};

// Starts a process that dies with the calling thread (PR_SET_PDEATHSIG). By vfork: costs the same however big the caller is.
// Returns its process id, or -1 and the failure. On return the program has replaced the child.
pid_t spawn(const SpawnRequest& request, SpawnFailure& failure);

// The program file for a command word: the word itself if it has a slash, else the first match in the blank-free,
// colon-separated lists of folders; else the word in the current folder if that is executable. Empty if there is none.
std::string find_program(const std::string& word, const std::string& search_path, const std::string& directory);

// Whether `process` descends from the calling process.
bool is_descendant(pid_t process);

// Whether `process` and all its descendants are in our process-number namespace. If not, the numbers that they tell mean
// nothing here.
bool shares_process_numbers(pid_t process);

// Closes all descriptors of this process but these.
void close_all_but(std::initializer_list<int> kept);

// All descendants of a process, by the kernel's process table. It costs a few milliseconds: for the end of a job only.
std::vector<pid_t> descendants(pid_t ancestor);

// Sends SIGKILL to all descendants of the calling process, which must be a subreaper, and reaps them, until none is left. Gives
// up after some seconds: one that hangs in the kernel does not die. Returns true if none is left.
bool kill_descendants();

}  // namespace starling::launch
