// SPDX-License-Identifier: BSD-3-Clause
// Processes that join later (MPI 5.0 sections 11.8 to 11.10; doc/dynamic.md): what the files of this folder share, and what
// they need of those who started this process.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "comm/comm.h"
#include "comm/meet.h"

namespace starling::comm {

// One command of MPI_Comm_spawn_multiple.
struct SpawnCommand {
  std::string command;
  std::vector<std::string> arguments;
  int ranks = 0;
  int most = 0;  // MPI's maxprocs: `ranks` may be fewer if the user allows it
  std::vector<std::pair<std::string, std::string>> info;
};

// Whoever starts processes and keeps names for this one; boot/ provides it. All block, and throw Error of the named class.
class ProcessManager {
 public:
  // Starts a job; its processes find the port by parent_port(). Returns a process that lives as long as that job, 0 if that is
  // not known. kErrSpawn.
  virtual pid_t spawn(const std::vector<SpawnCommand>& commands, const std::string& port) = 0;
  virtual void publish(std::string_view service, std::string_view port) = 0;  // kErrService: the name is taken
  virtual std::string lookup(std::string_view service) = 0;                   // kErrName: nobody has published it
  virtual void unpublish(std::string_view service) = 0;                       // kErrService: nobody has published it

 protected:
  ~ProcessManager() = default;
};

// nullptr: none. Set by boot/ as set_process is.
void set_process_manager(ProcessManager* manager);

// The communicator to those who spawned this process, nullptr if there is none any more.
Comm* parent_comm();
void forget_parent(const Comm& comm);  // the user lets go of a communicator, of the parent's perhaps
// Collective over `world`, the first thing that spawned processes do: meets them at the port, which rank 0 knows.
void join_parent(Comm& world, const std::string& port);
// At the end of the world, what is left of the parent communicator goes; at the end of the last user, all connections to other
// jobs.
void leave_parent();
void leave_others(Worker& worker);

// Ends the connections to processes that are in no group any more.
void release_guests(Worker& worker);

// A stream socket to a process of another job. Messages are served while it waits.
class Channel {
 public:
  // Does not own the descriptor. `patience` in seconds, as long as the other end has said nothing; 0: for ever.
  Channel(Worker& worker, int fd, int patience = 0);

  // Throw Error(kErrPort) if the other end is closed, or the time is over.
  void send(const void* data, std::size_t bytes);
  void receive(void* data, std::size_t bytes);
  // `events` as for poll(). Throws Error(kErrSpawn) if process `job`, unless it is 0, ends meanwhile.
  void await(short events, pid_t job = 0);

 private:
  Worker& worker_;
  int fd_;
  int patience_;
  std::uint64_t until_ = 0;  // seconds of the monotonic clock; 0: for ever
};

// The leader's part, with the leader at the other end of the channel. One of them is `first`. An empty `members`: that one is
// on another machine.
OtherSide meet(const Comm& local, Channel channel, bool first);

// A port that this process has opened.
class Port {
 public:
  Port();
  ~Port();
  Port(const Port&) = delete;
  const std::string& name() const { return name_; }
  // Waits for the next process that connects, and meets it.
  OtherSide accept(const Comm& local, pid_t job = 0) const;

 private:
  std::string name_;
  int fd_;
};

}  // namespace starling::comm
