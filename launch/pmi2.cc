// SPDX-License-Identifier: BSD-3-Clause
// PMI-2: the answer to "x" is "x-response", with the thread id of the request and rc.
#include <cstdlib>

#include "launch/pmi.h"

namespace starling::launch {

PmiMessage PmiServer::answer2(int rank, const PmiMessage& request) const {
  PmiMessage answer(request.command() + "-response");
  const std::string& thread = request.has("thrid") ? request.get("thrid") : clients_[index(rank)].thread;
  if (!thread.empty()) answer.add("thrid", thread);
  return answer;
}

void PmiServer::serve2(int rank, const PmiMessage& request) {
  Client& client = clients_[index(rank)];
  const std::string& command = request.command();
  if (command == "fullinit") {
    client.joined = true;
    reply2(rank, answer2(rank, request)
                     .add("pmi-version", 2)
                     .add("pmi-subversion", 0)
                     .add("rank", rank)
                     .add("size", ranks_)
                     .add("appnum", client.program)
                     .add("debugged", "FALSE")
                     .add("pmiverbose", "FALSE")
                     .add("rc", 0));
  } else if (command == "job-getid") {
    reply2(rank, answer2(rank, request).add("jobid", job_name_).add("rc", 0));
  } else if (command == "kvs-put") {
    keys_[request.get("key")] = request.get("value");
    reply2(rank, answer2(rank, request).add("rc", 0));
  } else if (command == "kvs-get") {
    const std::string* value = find_key(request.get("key"));
    PmiMessage answer = answer2(rank, request).add("found", value ? "TRUE" : "FALSE");
    if (value) answer.add("value", *value);
    reply2(rank, answer.add("rc", 0));
  } else if (command == "kvs-fence") {
    client.thread = request.get("thrid");
    if (!enter_barrier(rank)) return;
    for (int other = 0; other < ranks_; ++other) {
      reply2(other, answer2(other, PmiMessage("kvs-fence")).add("rc", 0));
      clients_[index(other)].thread.clear();
    }
  } else if (command == "finalize") {
    client.joined = false;
    client.left = true;
    reply2(rank, answer2(rank, request).add("rc", 0));
  } else if (command == "abort") {
    const std::string& code = request.get("exitcode");
    owner_.rank_aborted(rank, code.empty() ? 1 : std::atoi(code.c_str()));
  } else if (command == "spawn") {
    serve2_spawn(rank, request);
  } else if (!serve2_attributes(rank, request) && !serve2_names(rank, request)) {
    // Job-connect and whatever else there may be.
    reply2(rank, answer2(rank, request).add("rc", 1).add("errmsg", command + " is not supported"));
  }
}

namespace {

int count(const PmiMessage& message, const char* key) { return std::atoi(message.get(key).c_str()); }

// Key and value i are called "ppkey<i>" and "ppval<i>".
SpawnBlock::Pairs pairs_of(const PmiMessage& message, const std::string& kind, const char* number) {
  SpawnBlock::Pairs pairs;
  for (int i = 0; i < count(message, number); ++i)
    pairs.emplace_back(message.get(kind + "key" + std::to_string(i)), message.get(kind + "val" + std::to_string(i)));
  return pairs;
}

}  // namespace

// One message: what the new job finds, then each program with what is its own. Answered by spawned().
void PmiServer::serve2_spawn(int rank, const PmiMessage& request) {
  const std::vector<PmiMessage> parts = request.split("subcmd");
  std::vector<SpawnBlock> blocks;
  for (std::size_t part = 1; part < parts.size(); ++part) {
    const PmiMessage& program = parts[part];
    SpawnBlock block{count(program, "maxprocs"),
                     program.get("subcmd"),
                     {},
                     pairs_of(program, "info", "infokeycount"),
                     pairs_of(parts[0], "pp", "preputcount")};
    for (int i = 0; i < count(program, "argc"); ++i) block.arguments.push_back(program.get("argv" + std::to_string(i)));
    blocks.push_back(std::move(block));
  }
  clients_[index(rank)].thread = request.get("thrid");
  if (blocks.empty()) return spawned(rank, -1, "no program is named");
  owner_.spawn_job(rank, blocks);
}

// Facts about the node, which its ranks tell each other, and about the job.
bool PmiServer::serve2_attributes(int rank, const PmiMessage& request) {
  const std::string& command = request.command();
  const std::string& key = request.get("key");
  if (command == "info-putnodeattr") {
    node_attributes_[key] = request.get("value");
    reply2(rank, answer2(rank, request).add("rc", 0));
    for (std::size_t i = 0; i < waiters_.size();) {
      if (waiters_[i].key != key) {
        ++i;
        continue;
      }
      Waiter waiter = waiters_[i];
      waiters_.erase(waiters_.begin() + static_cast<std::ptrdiff_t>(i));
      PmiMessage answer("info-getnodeattr-response");
      if (!waiter.thread.empty()) answer.add("thrid", waiter.thread);
      reply2(waiter.rank, answer.add("found", "TRUE").add("value", node_attributes_[key]).add("rc", 0));
    }
    return true;
  }
  const std::string* value = nullptr;
  std::string universe = std::to_string(universe_size_);
  if (command == "info-getnodeattr") {
    auto found = node_attributes_.find(key);
    if (found != node_attributes_.end())
      value = &found->second;
    else if (request.get("wait") == "TRUE")
      return waiters_.push_back({rank, key, request.get("thrid")}), true;
  } else if (command == "info-getjobattr") {
    value = key == "universeSize" ? &universe : find_key(key);
  } else {
    return false;
  }
  PmiMessage answer = answer2(rank, request).add("found", value ? "TRUE" : "FALSE");
  if (value) answer.add("value", *value);
  reply2(rank, answer.add("rc", 0));
  return true;
}

bool PmiServer::serve2_names(int rank, const PmiMessage& request) {
  const std::string& command = request.command();
  const std::string& name = request.get("name");
  if (command == "name-publish") {
    bool taken = !names_.publish(name, request.get("port"));
    reply2(rank, taken ? answer2(rank, request).add("rc", 1).add("errmsg", "the name is published already")
                       : answer2(rank, request).add("rc", 0));
  } else if (command == "name-unpublish") {
    reply2(rank, answer2(rank, request).add("rc", names_.unpublish(name) ? 0 : 1));
  } else if (command == "name-lookup") {
    const std::optional<std::string> port = names_.lookup(name);
    PmiMessage answer = answer2(rank, request);
    if (port) answer.add("value", *port);
    reply2(rank, answer.add("found", port ? "TRUE" : "FALSE").add("rc", port ? 0 : 1));
  } else {
    return false;
  }
  return true;
}

}  // namespace starling::launch
