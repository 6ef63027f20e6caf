// SPDX-License-Identifier: BSD-3-Clause
// The rank's side of PMI-1: lines of blank-separated key=value pairs, one request, one answer, over an inherited socket. Spoken
// by MPICH's Hydra, Intel's mpiexec, srun --mpi=pmi1, and our mpiexec (launch/pmi.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "comm/dynamic.h"

namespace starling::boot {

class Pmi1Client final : public comm::ProcessManager {
 public:
  // `ours`: the server is our mpiexec, which understands more.
  Pmi1Client(int fd, bool ours) : fd_(fd), ours_(ours) {}
  ~Pmi1Client();
  Pmi1Client(const Pmi1Client&) = delete;

  // Says hello and learns the name of the key-value space. Our mpiexec does not need it.
  void join();
  // Says good-bye and closes the connection.
  void leave();
  // Asks for the end of the job; no answer comes. Does nothing if the connection is closed.
  void abort(int code);
  // Sends, and waits for the answer, which must be `expected`. Throws Error(kErrOther).
  std::string request(const std::string& line, const char* expected);
  static std::string value(const std::string& answer, const std::string& key);

  void put(const std::string& key, const std::string& text);
  std::string get(const std::string& key);  // empty if there is no such key
  std::string get_port_of_parent() { return get(kParentPort); }

  pid_t spawn(const std::vector<comm::SpawnCommand>& commands, const std::string& port) override;
  void publish(std::string_view service, std::string_view port) override;
  std::string lookup(std::string_view service) override;
  void unpublish(std::string_view service) override;

 private:
  // What MPICH calls it, too.
  static constexpr const char* kParentPort = "PARENT_ROOT_PORT_NAME";

  std::string spawn_lines(const comm::SpawnCommand& command, std::size_t number, std::size_t of, const std::string& port) const;

  void send(std::string lines);

  int fd_;
  bool ours_;
  std::string kvs_ = "none";
};

// Starts an mpiexec that serves this process alone, which nobody has started: a socket to it.
int start_process_manager();

}  // namespace starling::boot
