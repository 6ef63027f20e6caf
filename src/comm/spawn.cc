// SPDX-License-Identifier: BSD-3-Clause
// Starting processes and naming ports (MPI 5.0 sections 11.8, 11.9.4): the process manager does the one and keeps the other.
// Spawned processes connect to a port that the root of the spawn has opened for them, in MPI_Init.
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <utility>

#include "base/error.h"
#include "comm/dynamic.h"
#include "comm/entry.gen.h"
#include "comm/spawn_info.h"
#include "object/info.h"
#include "progress/worker.h"

namespace starling::comm {

namespace {

constinit ProcessManager* the_manager = nullptr;
constinit Comm* the_parent = nullptr;

ProcessManager& manager(int error_class) {
  if (!the_manager) fail(error_class, "there is no process manager that could do this");
  return *the_manager;
}

std::string host_name() {
  char host[256] = "";
  gethostname(host, sizeof host - 1);
  return host;
}

// Where the processes are to run: on this host.
void check_host(const std::string& host) {
  const std::string mine = host_name();
  if (host != "localhost" && host != "127.0.0.1" && host != "::1" && host != mine && host != mine.substr(0, mine.find('.')))
    fail(kErrSpawn, "cannot start processes on host %s: other hosts than this one are not supported yet", host.c_str());
}

SpawnCommand command_of(std::string_view name, char** arguments, int ranks, const Info* info) {
  if (ranks < 1) fail(kErrArg, "maxprocs = %d: at least one process must be started", ranks);
  SpawnCommand command{std::string(name), {}, ranks, ranks, {}};
  for (; arguments && *arguments; ++arguments) command.arguments.emplace_back(*arguments);
  bool has_directory = false;
  for (const auto& [key, value] : info ? spawn_entries(*info) : InfoEntries{}) {
    if (key == "host") check_host(value);
    if (key == "soft") command.ranks = largest_allowed(value, ranks);
    if (command.ranks == 0) fail(kErrSpawn, "soft = \"%s\" has no number from 1 to maxprocs = %d", value.c_str(), ranks);
    has_directory = has_directory || key == "wdir";
    if (key == "wdir" || key == "path") command.info.emplace_back(key, value);
  }
  // Unless told otherwise they start where this process is now.
  char here[PATH_MAX];
  if (!has_directory && getcwd(here, sizeof here)) command.info.emplace_back("wdir", here);
  return command;
}

// What became of each of the processes that were wanted.
std::vector<int> codes_of(const std::vector<SpawnCommand>& commands) {
  std::vector<int> codes;
  for (const SpawnCommand& command : commands) {
    codes.insert(codes.end(), static_cast<std::size_t>(command.ranks), kSuccess);
    codes.insert(codes.end(), static_cast<std::size_t>(command.most - command.ranks), kErrSpawn);
  }
  return codes;
}

// From the root to all.
void share(Comm& comm, int root, std::vector<int>& codes) {
  std::size_t count = codes.size();
  broadcast(comm, creation_tag(comm), &count, sizeof count, root);
  codes.resize(count);
  broadcast(comm, creation_tag(comm), codes.data(), count * sizeof codes[0], root);
}

// `commands` makes them at the root; codes: one for each process wanted, known everywhere if all is well, and at the root in
// any case.
template <class Commands>
Comm* spawn(Comm& comm, int root, Commands&& commands, std::vector<int>& codes) {
  codes.clear();
  try {
    Comm* made = create_inter(comm, root, [&] {
      const std::vector<SpawnCommand> all = commands();
      codes = codes_of(all);
      Port port;
      const pid_t job = manager(kErrSpawn).spawn(all, port.name());
      return port.accept(comm, job);
    });
    share(comm, root, codes);
    return made;
  } catch (const Error&) {
    std::fill(codes.begin(), codes.end(), kErrSpawn);
    throw;
  }
}

}  // namespace

void set_process_manager(ProcessManager* manager) { the_manager = manager; }

Comm* parent_comm() { return the_parent; }

void join_parent(Comm& world, const std::string& port) {
  comm_connect(port, nullptr, 0, world, the_parent);
  the_parent->name = "MPI_COMM_PARENT";
}

void comm_get_parent(Comm*& parent) { parent = the_parent; }

void comm_spawn(std::string_view command, char** argv, int maxprocs, Info* info, int root, Comm& comm, Comm*& intercomm,
                std::vector<int>& array_of_errcodes) {
  intercomm = spawn(
      comm, root, [&] { return std::vector<SpawnCommand>{command_of(command, argv, maxprocs, info)}; }, array_of_errcodes);
}

void comm_spawn_multiple(int count, char** array_of_commands, char*** array_of_argv, const int* array_of_maxprocs,
                         Info* const* array_of_info, int root, Comm& comm, Comm*& intercomm,
                         std::vector<int>& array_of_errcodes) {
  const auto commands = [&] {
    if (!array_of_commands) fail(kErrArg, "array_of_commands is a null pointer");
    std::vector<SpawnCommand> all;
    for (int i = 0; i < count; ++i) {
      if (!array_of_commands[i]) fail(kErrArg, "array_of_commands[%d] is a null pointer", i);
      all.push_back(
          command_of(array_of_commands[i], array_of_argv ? array_of_argv[i] : nullptr, array_of_maxprocs[i], array_of_info[i]));
    }
    return all;
  };
  intercomm = spawn(comm, root, commands, array_of_errcodes);
}

void publish_name(std::string_view service_name, Info*, std::string_view port_name) {
  manager(kErrService).publish(service_name, port_name);
}

void lookup_name(std::string_view service_name, Info*, std::string& port_name) {
  port_name = manager(kErrName).lookup(service_name);
}

void unpublish_name(std::string_view service_name, Info*, std::string_view) { manager(kErrService).unpublish(service_name); }

// ---- The end of connections

void release_guests(Worker& worker) {
  const Peer residents = worker.peers.residents();
  if (worker.peers.end() == residents) return;
  std::vector<bool> needed(worker.peers.end() - residents);
  group_pool().for_each([&](const Group& group) {
    if (group.size == 0 || group.highest < residents) return;
    for (int r = 0; r < group.size; ++r)
      if (const Peer peer = group.peer(r); peer >= residents) needed[peer - residents] = true;
  });
  worker.release_guests([&](Peer peer) { return needed[peer - residents]; });
}

void comm_disconnect(Comm*& comm) {
  Worker& worker = *comm->worker;
  if (comm == the_parent && worker.job.base) worker.job.header().disconnected.fetch_add(1, std::memory_order_acq_rel);
  comm_free(comm);
}

void forget_parent(const Comm& comm) {
  if (&comm == the_parent) the_parent = nullptr;
}

void leave_parent() {
  Comm* last = the_parent;
  if (last) comm_free(last);
}

void leave_others(Worker& worker) {
  worker.release_guests([](Peer) { return false; });
}

}  // namespace starling::comm
