// SPDX-License-Identifier: BSD-3-Clause
// PMI-1: every request is a line and gets a line. rc is 0 for success.
#include <cstdlib>
#include <iterator>

#include "launch/pmi.h"

namespace starling::launch {

namespace {
constexpr int kLongestKey = 64, kLongestValue = 1024, kLongestName = 256;
}  // namespace

void PmiServer::serve1(int rank, const std::string& line) {
  Client& client = clients_[index(rank)];
  PmiMessage request = PmiMessage::parse_blanks(line);
  const std::string& command = request.command();
  if (client.in_spawn || request.has("mcmd")) {
    // A command of several lines: MPI_Comm_spawn. It is read to its end, then refused.
    client.in_spawn = line != "endcmd";
    if (!client.in_spawn) reply1(rank, PmiMessage("spawn_result").add("rc", -1).add("msg", "spawn_is_not_supported"));
  } else if (command == "init") {
    int version = std::atoi(request.get("pmi_version").c_str()) == 2 ? 2 : 1;
    reply1(rank,
           PmiMessage("response_to_init").add("rc", 0).add("pmi_version", version).add("pmi_subversion", version == 2 ? 0 : 1));
    client.version = version;
    client.joined = version == 1;  // PMI-2 joins by fullinit
    client.left = false;
  } else if (command == "get_maxes") {
    reply1(rank, PmiMessage("maxes")
                     .add("rc", 0)
                     .add("kvsname_max", kLongestName)
                     .add("keylen_max", kLongestKey)
                     .add("vallen_max", kLongestValue));
  } else if (command == "get_appnum") {
    reply1(rank, PmiMessage("appnum").add("rc", 0).add("appnum", client.program));
  } else if (command == "get_my_kvsname") {
    reply1(rank, PmiMessage("my_kvsname").add("rc", 0).add("kvsname", job_name_));
  } else if (command == "get_universe_size") {
    reply1(rank, PmiMessage("universe_size").add("rc", 0).add("size", universe_size_));
  } else if (command == "barrier_in") {
    if (enter_barrier(rank))
      for (int other = 0; other < ranks_; ++other) reply1(other, PmiMessage("barrier_out").add("rc", 0));
  } else if (command == "put") {
    keys_[request.get("key")] = request.get("value");
    reply1(rank, PmiMessage("put_result").add("rc", 0).add("msg", "success"));
  } else if (command == "get") {
    const std::string* value = find_key(request.get("key"));
    reply1(rank, value ? PmiMessage("get_result").add("rc", 0).add("msg", "success").add("value", *value)
                       : PmiMessage("get_result").add("rc", -1).add("msg", "key_not_found").add("value", "unknown"));
  } else if (command == "getbyidx") {
    auto at = static_cast<std::size_t>(std::atoi(request.get("idx").c_str()));
    if (at >= keys_.size()) return reply1(rank, PmiMessage("getbyidx_results").add("rc", -2).add("reason", "no_more_keyvals"));
    auto entry = std::next(keys_.begin(), static_cast<std::ptrdiff_t>(at));
    reply1(rank, PmiMessage("getbyidx_results")
                     .add("rc", 0)
                     .add("nextidx", static_cast<int>(at) + 1)
                     .add("key", entry->first)
                     .add("val", entry->second));
  } else if (command == "finalize") {
    client.joined = false;
    client.left = true;
    reply1(rank, PmiMessage("finalize_ack").add("rc", 0));
  } else if (command == "abort") {
    const std::string& code = request.get("exitcode");
    owner_.rank_aborted(rank, code.empty() ? 1 : std::atoi(code.c_str()));
  } else if (!serve1_names(rank, request)) {
    reply1(rank, PmiMessage(command + "_result").add("rc", -1).add("msg", "unknown_command"));
  }
}

// Ports of MPI_Publish_name, known within the job.
bool PmiServer::serve1_names(int rank, const PmiMessage& request) {
  const std::string& command = request.command();
  const std::string& service = request.get("service");
  auto found = names_.find(service);
  if (command == "publish_name") {
    if (found != names_.end()) {
      reply1(rank, PmiMessage("publish_result").add("rc", 1).add("msg", "service_exists"));
    } else {
      names_[service] = request.get("port");
      reply1(rank, PmiMessage("publish_result").add("rc", 0).add("msg", "success"));
    }
  } else if (command == "unpublish_name") {
    reply1(rank, PmiMessage("unpublish_result").add("rc", found != names_.end() ? 0 : 1).add("msg", "done"));
    if (found != names_.end()) names_.erase(found);
  } else if (command == "lookup_name") {
    if (found != names_.end())
      reply1(rank, PmiMessage("lookup_result").add("rc", 0).add("port", found->second));
    else
      reply1(rank, PmiMessage("lookup_result").add("rc", 1).add("msg", "service_not_found"));
  } else {
    return false;
  }
  return true;
}

}  // namespace starling::launch
