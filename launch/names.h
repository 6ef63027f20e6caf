// SPDX-License-Identifier: BSD-3-Clause
// Names: the ports that MPI_Publish_name gave names to. Kept by the agent of a job; a job that another one spawned asks that
// one's agent, and jobs started with -nameserver ask mpi_nameserver. They ask in lines of PMI-1.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace starling::launch {

class Names {
 public:
  Names() = default;
  ~Names();
  Names(const Names&) = delete;

  // From now on everything is asked of the server at the other end of the socket, which becomes ours.
  void ask(int server);

  bool publish(const std::string& service, const std::string& port);  // false: the name is taken
  bool unpublish(const std::string& service);                         // false: nobody has published it
  std::optional<std::string> lookup(const std::string& service);

  // The answer to a request line; empty if it is not about names.
  std::string serve(const std::string& line);

 private:
  std::string request(const std::string& line);  // the server's answer; empty if it is gone

  int server_ = -1;
  std::map<std::string, std::string> ports_;  // by service
};

// The abstract Unix socket of this user's mpi_nameserver: one that listens, or one that is connected to it. Throws
// Error(kErrOther).
int listen_as_name_server();
int connect_to_name_server();

}  // namespace starling::launch
