// SPDX-License-Identifier: BSD-3-Clause
// The process manager's side of PMI-1 and PMI-2, the two line protocols by which ranks of MPICH, Intel MPI and their kin find
// each other over an inherited socket (PMI_FD): a store of keys and values, a barrier, names of ports, abort. Our own ranks do
// not need it.
//
//   PMI-1: "cmd=put key=k value=v\n", answered by one such line.
//   PMI-2: six digits of length, then "cmd=kvs-put;key=k;value=v;"; begins as PMI-1 with "cmd=init pmi_version=2 ...".
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "launch/names.h"

namespace starling::launch {

// One message of either protocol: pairs in order. The first is "cmd" (or "mcmd").
class PmiMessage {
 public:
  explicit PmiMessage(std::string_view command) { add("cmd", command); }
  static PmiMessage parse_blanks(std::string_view line);      // PMI-1
  static PmiMessage parse_semicolons(std::string_view body);  // PMI-2; ";;" stands for one semicolon in a value

  PmiMessage& add(std::string_view key, std::string_view value);
  PmiMessage& add(std::string_view key, int value);
  const std::string& get(std::string_view key) const;  // empty if there is no such key
  bool has(std::string_view key) const;
  // What comes before the first pair with this key, and then what each such pair begins.
  std::vector<PmiMessage> split(std::string_view key) const;
  const std::string& command() const { return get("cmd"); }

  std::string text_blanks() const;      // with the newline
  std::string text_semicolons() const;  // with the length

 private:
  PmiMessage() = default;
  std::vector<std::pair<std::string, std::string>> pairs_;
};

// One command of a spawn: some ranks of the new job.
struct SpawnBlock {
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  int ranks = 0;
  std::string program;
  std::vector<std::string> arguments;
  Pairs info;    // hints
  Pairs preput;  // keys and values that the new job finds
};

// What the server wants from those who own it.
class PmiOwner {
 public:
  virtual void rank_aborted(int rank, int code) = 0;
  // To be answered by PmiServer::spawned, now or later.
  virtual void spawn_job(int rank, const std::vector<SpawnBlock>& blocks) = 0;

 protected:
  ~PmiOwner() = default;
};

// Owns the launcher's ends of all sockets. Not thread-safe.
class PmiServer {
 public:
  PmiServer(PmiOwner& owner, std::string job_name, int ranks, int universe_size, bool verbose);
  ~PmiServer();
  PmiServer(const PmiServer&) = delete;

  // Makes the connection of a rank and returns the rank's end (close-on-exec), which the caller closes after the start.
  int connect(int rank, int program);
  // The same for a rank that brings its connection.
  void adopt(int rank, int fd) { clients_[index(rank)].fd = fd; }

  void put(const std::string& key, const std::string& value) { keys_[key] = value; }
  // Tells a rank what has become of its spawn: a process that lives as long as the new job; or -1 and the reason.
  void spawned(int rank, int process, std::string reason);
  Names& names() { return names_; }

  int fd(int rank) const { return clients_[index(rank)].fd; }  // -1: closed
  bool wants_to_write(int rank) const { return !clients_[index(rank)].output.empty(); }
  void readable(int rank);
  void writable(int rank);

  // Joined by init and not left by finalize: if the rank ends now, it ended too early.
  bool joined(int rank) const { return clients_[index(rank)].joined; }
  // Left by finalize: what it does now is no longer the job's business.
  bool left(int rank) const { return clients_[index(rank)].left; }

 private:
  struct Client {
    int fd = -1;
    int program = 0;
    int version = 1;
    bool joined = false;
    bool left = false;
    bool in_barrier = false;
    bool in_spawn = false;  // between "mcmd=spawn" and "endcmd"
    SpawnBlock::Pairs spawn_lines;
    std::vector<SpawnBlock> spawn_blocks;  // complete ones of the spawn being read
    std::string input, output;
    std::string thread;  // PMI-2: the thread id to be echoed by an answer that comes later
  };
  // A PMI-2 rank that waits for a node attribute.
  struct Waiter {
    int rank;
    std::string key, thread;
  };
  static std::size_t index(int rank) { return static_cast<std::size_t>(rank); }

  void serve_input(int rank);
  bool take_message(Client& client, std::string& text);
  void send(int rank, const std::string& text);
  void close(Client& client);

  void serve1(int rank, const std::string& line);  // pmi1.cc
  void serve1_spawn(int rank, const std::string& line);
  void reply1(int rank, const PmiMessage& answer) { send(rank, answer.text_blanks()); }

  void serve2(int rank, const PmiMessage& request);  // pmi2.cc
  bool serve2_attributes(int rank, const PmiMessage& request);
  bool serve2_names(int rank, const PmiMessage& request);
  void serve2_spawn(int rank, const PmiMessage& request);
  void reply2(int rank, PmiMessage answer) { send(rank, answer.text_semicolons()); }
  PmiMessage answer2(int rank, const PmiMessage& request) const;

  // Enters the barrier; true if that was the last rank.
  bool enter_barrier(int rank);
  const std::string* find_key(const std::string& key) const;

  PmiOwner& owner_;
  std::string job_name_;
  int ranks_;
  int universe_size_;
  bool verbose_;
  std::vector<Client> clients_;
  int in_barrier_ = 0;
  std::map<std::string, std::string, std::less<>> keys_;
  std::map<std::string, std::string, std::less<>> node_attributes_;
  Names names_;
  std::vector<Waiter> waiters_;
};

}  // namespace starling::launch
