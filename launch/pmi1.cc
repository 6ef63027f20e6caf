// SPDX-License-Identifier: BSD-3-Clause
// PMI-1: every request is a line and gets a line. rc is 0 for success.
#include <cstdlib>
#include <iterator>
#include <utility>

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
    serve1_spawn(rank, line);
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
  } else if (const std::string answer = names_.serve(line); !answer.empty()) {
    send(rank, answer);
  } else {
    reply1(rank, PmiMessage(command + "_result").add("rc", -1).add("msg", "unknown_command"));
  }
}

namespace {

const std::string& find(const SpawnBlock::Pairs& lines, const std::string& key) {
  static const std::string kNone;
  for (const auto& [known, value] : lines)
    if (known == key) return value;
  return kNone;
}

int count(const SpawnBlock::Pairs& lines, const char* key) { return std::atoi(find(lines, key).c_str()); }

// %20 and the like, by which our library sends arguments of several lines.
std::string decoded(const std::string& word) {
  std::string text;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '%' || i + 2 >= word.size()) {
      text += word[i];
      continue;
    }
    text += static_cast<char>(std::strtol(word.substr(i + 1, 2).c_str(), nullptr, 16));
    i += 2;
  }
  return text;
}

SpawnBlock::Pairs pairs_of(const SpawnBlock::Pairs& lines, const std::string& kind) {
  SpawnBlock::Pairs pairs;
  for (int i = 0; i < count(lines, (kind + "_num").c_str()); ++i) {
    const std::string number = std::to_string(i);
    pairs.emplace_back(find(lines, kind + "_key_" + number), find(lines, kind + "_val_" + number));
  }
  return pairs;
}

SpawnBlock block_of(const SpawnBlock::Pairs& lines) {
  SpawnBlock block{count(lines, "nprocs"), find(lines, "execname"), {}, pairs_of(lines, "info"), pairs_of(lines, "preput")};
  for (int i = 1; i <= count(lines, "argcnt"); ++i) {
    const std::string key = "arg" + std::to_string(i);
    const std::string& encoded = find(lines, "encoded_" + key);
    block.arguments.push_back(encoded.empty() ? find(lines, key) : decoded(encoded));
  }
  return block;
}

}  // namespace

// A command of several lines, once for each program: MPI_Comm_spawn.
void PmiServer::serve1_spawn(int rank, const std::string& line) {
  Client& client = clients_[index(rank)];
  client.in_spawn = line != "endcmd";
  if (client.in_spawn) {
    const auto equals = line.find('=');
    if (equals != line.npos) client.spawn_lines.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    return;
  }
  const SpawnBlock::Pairs lines = std::exchange(client.spawn_lines, {});
  client.spawn_blocks.push_back(block_of(lines));
  if (static_cast<int>(client.spawn_blocks.size()) < count(lines, "totspawns")) return;
  owner_.spawn_job(rank, std::exchange(client.spawn_blocks, {}));
}

void PmiServer::spawned(int rank, int process, std::string reason) {
  Client& client = clients_[index(rank)];
  if (client.version == 2) {
    PmiMessage answer = answer2(rank, PmiMessage("spawn")).add("rc", process >= 0 ? 0 : 1);
    client.thread.clear();
    if (process < 0) return reply2(rank, answer.add("errmsg", reason));
    return reply2(rank, answer.add("jobid", job_name_ + "-" + std::to_string(process)).add("nerrs", 0));
  }
  PmiMessage answer("spawn_result");
  if (process >= 0) return reply1(rank, answer.add("rc", 0).add("process", process));
  for (char& c : reason) c = c == ' ' || c == '\n' ? '_' : c;
  reply1(rank, answer.add("rc", -1).add("msg", reason));
}

}  // namespace starling::launch
