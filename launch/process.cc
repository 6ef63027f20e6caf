// SPDX-License-Identifier: BSD-3-Clause
#include "launch/process.h"

#include <alloca.h>
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>

namespace starling::launch {

namespace {

// The child between vfork and exec: it borrows the parent's memory, so it only makes system calls and writes only `failure`.
[[noreturn]] void become(const SpawnRequest& request, pid_t parent, SpawnFailure& failure) {
  auto check = [&failure](bool good, const char* step) {
    if (good) return;
    failure.step = step;
    failure.error = errno;
    _exit(127);
  };
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // the parent died before the line above
  setpgid(0, request.process_group);    // fails harmlessly if the group is gone
  for (int fd = 0; fd < 3; ++fd)
    if (request.standard[fd] >= 0) check(dup2(request.standard[fd], fd) >= 0, "redirect its output");
  if (request.kept_fd >= 0) check(fcntl(request.kept_fd, F_SETFD, 0) == 0, "keep the PMI connection open");
  if (request.processors)
    check(sched_setaffinity(0, request.processors_bytes, reinterpret_cast<const cpu_set_t*>(request.processors)) == 0,
          "bind it to its processors");
  if (request.directory) check(chdir(request.directory) == 0, "enter its working directory");
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  sigaction(SIGPIPE, &standard, nullptr);
  if (request.file_limit) setrlimit(RLIMIT_NOFILE, request.file_limit);
  if (request.signal_mask) sigprocmask(SIG_SETMASK, request.signal_mask, nullptr);
  execve(request.path, request.words, request.environment);
  // A script without "#!" is for the shell, as for execvp.
  if (errno == ENOEXEC) {
    std::size_t count = 0;
    while (request.words[count]) ++count;
    char** words = static_cast<char**>(alloca((count + 2) * sizeof(char*)));
    words[0] = const_cast<char*>("/bin/sh");
    words[1] = const_cast<char*>(request.path);
    for (std::size_t i = 1; i <= count; ++i) words[i + 1] = request.words[i];
    execve(words[0], words, request.environment);
  }
  check(false, "start the program");
  _exit(127);
}

bool is_executable_file(const std::string& path) {
  struct stat status;
  return access(path.c_str(), X_OK) == 0 && stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

// The parent of a process; 0 if there is no such process.
pid_t parent_of(const char* process) {
  char path[300], text[512];
  std::snprintf(path, sizeof path, "/proc/%s/stat", process);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  ssize_t n = read(fd, text, sizeof text - 1);
  close(fd);
  if (n <= 0) return 0;
  text[n] = 0;
  const char* after_name = std::strrchr(text, ')');  // the name may hold anything, even a parenthesis
  int parent;
  return after_name && std::sscanf(after_name + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

// Process and parent of every process.
std::vector<std::pair<pid_t, pid_t>> process_table() {
  std::vector<std::pair<pid_t, pid_t>> table;
  DIR* directory = opendir("/proc");
  if (!directory) return table;
  while (dirent* entry = readdir(directory))
    if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
      table.emplace_back(std::atoi(entry->d_name), parent_of(entry->d_name));
  closedir(directory);
  return table;
}

void sleep_ms(long milliseconds) {
  timespec duration{milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&duration, nullptr);
}

}  // namespace

pid_t spawn(const SpawnRequest& request, SpawnFailure& failure) {
  const pid_t parent = getpid();
  failure = {};
  pid_t child = vfork();
  if (child == 0) become(request, parent, failure);
  if (child < 0) {
    failure = {"make a process", errno};
    return -1;
  }
  if (!failure.step) return child;
  waitpid(child, nullptr, 0);
  return -1;
}

std::string find_program(const std::string& word, const std::string& search_path, const std::string& directory) {
  if (word.find('/') != word.npos) return word;
  for (std::size_t start = 0; start <= search_path.size();) {
    auto end = std::min(search_path.find(':', start), search_path.size());
    std::string folder = search_path.substr(start, end - start);
    if (!folder.empty() && is_executable_file(folder + "/" + word)) return folder + "/" + word;
    start = end + 1;
  }
  std::string here = (directory.empty() ? "." : directory) + "/" + word;
  return is_executable_file(here) ? "./" + word : "";
}

bool is_descendant(pid_t process) {
  while (process > 1 && process != getpid()) process = parent_of(std::to_string(process).c_str());
  return process == getpid();
}

std::vector<pid_t> descendants(pid_t ancestor) {
  auto table = process_table();
  std::vector<pid_t> found = {ancestor};
  for (std::size_t i = 0; i < found.size(); ++i)
    for (const auto& [process, parent] : table)
      if (parent == found[i]) found.push_back(process);
  found.erase(found.begin());
  return found;
}

void close_all_but(std::initializer_list<int> kept) {
  std::vector<int> others;
  if (DIR* directory = opendir("/proc/self/fd")) {
    while (dirent* entry = readdir(directory))
      if (int fd = std::atoi(entry->d_name); entry->d_name[0] != '.' && std::find(kept.begin(), kept.end(), fd) == kept.end())
        others.push_back(fd);
    closedir(directory);  // its own descriptor is in the list
  }
  for (int fd : others) close(fd);
}

bool shares_process_numbers(pid_t process) {
  struct stat ours, theirs;
  if (stat("/proc/self/ns/pid", &ours) != 0) return true;
  std::vector<pid_t> all = descendants(process);
  all.push_back(process);
  return std::none_of(all.begin(), all.end(), [&](pid_t member) {
    return stat(("/proc/" + std::to_string(member) + "/ns/pid").c_str(), &theirs) == 0 && theirs.st_ino != ours.st_ino;
  });
}

bool kill_descendants() {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  for (;;) {
    pid_t reaped;
    while ((reaped = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (reaped < 0 && errno == ECHILD) return true;
    if (std::chrono::steady_clock::now() > deadline) return false;
    // Again in each round: a process may have forked while the table was read.
    for (pid_t process : descendants(getpid())) kill(process, SIGKILL);
    sleep_ms(1);
  }
}

}  // namespace starling::launch
