// SPDX-License-Identifier: BSD-3-Clause
// mpi_nameserver: keeps the names of ports for all jobs of a user on this host that were started with -nameserver, until it is
// killed.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "base/error.h"
#include "launch/names.h"

namespace {

using starling::launch::Names;

struct Client {
  int fd;
  std::string input;
};

bool same_user(int fd) {
  ucred peer{};
  socklen_t length = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == geteuid();
}

// Answers what a client has asked. False: it is gone.
bool serve(Client& client, Names& names) {
  char buffer[4096];
  const ssize_t n = recv(client.fd, buffer, sizeof buffer, MSG_DONTWAIT);
  if (n <= 0) return n < 0 && (errno == EAGAIN || errno == EINTR);
  client.input.append(buffer, static_cast<std::size_t>(n));
  for (std::size_t end; (end = client.input.find('\n')) != std::string::npos;) {
    const std::string answer = names.serve(client.input.substr(0, end));
    client.input.erase(0, end + 1);
    if (answer.empty() || send(client.fd, answer.data(), answer.size(), MSG_NOSIGNAL) < 0) return false;
  }
  return true;
}

[[noreturn]] void run(int listener) {
  Names names;
  std::vector<Client> clients;
  for (;;) {
    std::vector<pollfd> set = {{listener, POLLIN, 0}};
    for (const Client& client : clients) set.push_back({client.fd, POLLIN, 0});
    if (poll(set.data(), set.size(), -1) < 0) continue;
    for (std::size_t i = clients.size(); i-- > 0;) {
      if (set[i + 1].revents == 0 || serve(clients[i], names)) continue;
      close(clients[i].fd);
      clients.erase(clients.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (set[0].revents == 0) continue;
    const int fd = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (fd >= 0 && same_user(fd))
      clients.push_back({fd, ""});
    else if (fd >= 0)
      close(fd);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) {
    const bool help = std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0;
    std::fprintf(help ? stdout : stderr,
                 "Usage: mpi_nameserver\n"
                 "Keeps the names of MPI_Publish_name for jobs that are started with mpiexec -nameserver localhost.\n");
    return help ? 0 : 2;
  }
  try {
    run(starling::launch::listen_as_name_server());
  } catch (const starling::Error& error) {
    std::fprintf(stderr, "mpi_nameserver: %s\n", error.message.c_str());
    return 1;
  }
}
