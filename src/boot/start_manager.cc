// SPDX-License-Identifier: BSD-3-Clause
// A process without a launcher that wants to start others, or to publish names, gets an mpiexec of its own.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/error.h"
#include "boot/pmi1_client.h"

namespace starling::boot {

namespace {

// bin/mpiexec beside the folder of this library; else the one in PATH.
std::string own_mpiexec() {
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&start_process_manager), &info) && info.dli_fname) {
    std::string path = info.dli_fname;
    for (int up = 0; up < 3; ++up) {
      const auto slash = path.rfind('/');
      path = slash == std::string::npos ? "." : path.substr(0, slash);
      const std::string program = path + "/bin/mpiexec";
      if (access(program.c_str(), X_OK) == 0) return program;
    }
  }
  return "mpiexec";
}

}  // namespace

int start_process_manager() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    fail(kErrSpawn, "cannot make a socket: %s", std::strerror(errno));
  const std::string program = own_mpiexec(), number = std::to_string(ends[1]);
  // Forked twice: it becomes no child of this process, which may be waiting for any of its children.
  const pid_t child = fork();
  if (child == 0) {
    if (fork() != 0) _exit(0);
    fcntl(ends[1], F_SETFD, 0);
    execlp(program.c_str(), "mpiexec", "-serve-singleton", number.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    fail(kErrSpawn, "cannot make a process: %s", std::strerror(errno));
  }
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return ends[0];
}

}  // namespace starling::boot
