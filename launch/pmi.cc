// SPDX-License-Identifier: BSD-3-Clause
// What both protocols share: messages, connections, the barrier.
#include "launch/pmi.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/error.h"

namespace starling::launch {

PmiMessage PmiMessage::parse_blanks(std::string_view line) {
  PmiMessage message;
  while (!line.empty()) {
    auto end = std::min(line.find(' '), line.size());
    std::string_view word = line.substr(0, end);
    auto equals = word.find('=');
    if (equals != word.npos) message.add(word.substr(0, equals), word.substr(equals + 1));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return message;
}

PmiMessage PmiMessage::parse_semicolons(std::string_view body) {
  PmiMessage message;
  std::string pair;
  auto finish = [&] {
    auto equals = pair.find('=');
    if (equals != pair.npos) message.add(std::string_view(pair).substr(0, equals), std::string_view(pair).substr(equals + 1));
    pair.clear();
  };
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] != ';')
      pair += body[i];
    else if (i + 1 < body.size() && body[i + 1] == ';')
      pair += body[i++];
    else
      finish();
  }
  finish();
  return message;
}

PmiMessage& PmiMessage::add(std::string_view key, std::string_view value) {
  pairs_.emplace_back(key, value);
  return *this;
}

PmiMessage& PmiMessage::add(std::string_view key, int value) { return add(key, std::to_string(value)); }

const std::string& PmiMessage::get(std::string_view key) const {
  static const std::string kNone;
  for (const auto& [known, value] : pairs_)
    if (known == key) return value;
  return kNone;
}

bool PmiMessage::has(std::string_view key) const {
  for (const auto& pair : pairs_)
    if (pair.first == key) return true;
  return false;
}

std::vector<PmiMessage> PmiMessage::split(std::string_view key) const {
  std::vector<PmiMessage> parts(1, PmiMessage());
  for (const auto& pair : pairs_) {
    if (pair.first == key) parts.push_back(PmiMessage());
    parts.back().pairs_.push_back(pair);
  }
  return parts;
}

std::string PmiMessage::text_blanks() const {
  std::string text;
  for (const auto& [key, value] : pairs_) text += (text.empty() ? "" : " ") + key + "=" + value;
  return text + "\n";
}

std::string PmiMessage::text_semicolons() const {
  std::string body;
  for (const auto& [key, value] : pairs_) {
    body += key + "=";
    for (char c : value) body.append(c == ';' ? 2 : 1, c);
    body += ';';
  }
  char length[16];
  std::snprintf(length, sizeof length, "%6zu", body.size());
  return length + body;
}

PmiServer::PmiServer(PmiOwner& owner, std::string job_name, int ranks, int universe_size, bool verbose)
    : owner_(owner), job_name_(std::move(job_name)), ranks_(ranks), universe_size_(universe_size), verbose_(verbose) {
  clients_.resize(index(ranks));
  // One host: all ranks, in blocks of all ranks, from node 0 on.
  keys_["PMI_process_mapping"] = "(vector,(0,1," + std::to_string(ranks) + "))";
}

PmiServer::~PmiServer() {
  for (Client& client : clients_) close(client);
}

int PmiServer::connect(int rank, int program) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    fail(kErrOther, "cannot make the PMI connection of rank %d: %s", rank, std::strerror(errno));
  clients_[index(rank)].fd = ends[0];
  clients_[index(rank)].program = program;
  return ends[1];
}

void PmiServer::close(Client& client) {
  if (client.fd >= 0) ::close(client.fd);
  client.fd = -1;
  client.output.clear();
}

void PmiServer::readable(int rank) {
  Client& client = clients_[index(rank)];
  char buffer[8192];
  ssize_t n = recv(client.fd, buffer, sizeof buffer, MSG_DONTWAIT);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) return close(client);
  client.input.append(buffer, static_cast<std::size_t>(n));
  serve_input(rank);
}

void PmiServer::serve_input(int rank) {
  Client& client = clients_[index(rank)];
  std::string text;
  while (client.fd >= 0 && take_message(client, text)) {
    if (verbose_) std::fprintf(stderr, "mpiexec: PMI from rank %d: %s\n", rank, text.c_str());
    if (client.version == 1)
      serve1(rank, text);
    else
      serve2(rank, PmiMessage::parse_semicolons(text));
  }
}

// Cuts the next whole message off the input.
bool PmiServer::take_message(Client& client, std::string& text) {
  if (client.version == 1) {
    auto end = client.input.find('\n');
    if (end == std::string::npos) return false;
    text = client.input.substr(0, end);
    client.input.erase(0, end + 1);
    return true;
  }
  constexpr std::size_t kDigits = 6;
  if (client.input.size() < kDigits) return false;
  std::size_t length = std::strtoul(client.input.substr(0, kDigits).c_str(), nullptr, 10);
  if (client.input.size() < kDigits + length) return false;
  text = client.input.substr(kDigits, length);
  client.input.erase(0, kDigits + length);
  return true;
}

void PmiServer::send(int rank, const std::string& text) {
  Client& client = clients_[index(rank)];
  if (client.fd < 0) return;
  if (verbose_) std::fprintf(stderr, "mpiexec: PMI to rank %d: %s%s", rank, text.c_str(), text.back() == '\n' ? "" : "\n");
  client.output += text;
  writable(rank);
}

void PmiServer::writable(int rank) {
  Client& client = clients_[index(rank)];
  ssize_t n = ::send(client.fd, client.output.data(), client.output.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  if (n > 0)
    client.output.erase(0, static_cast<std::size_t>(n));
  else if (errno != EAGAIN && errno != EINTR)
    close(client);
}

bool PmiServer::enter_barrier(int rank) {
  Client& client = clients_[index(rank)];
  if (!client.in_barrier) ++in_barrier_;
  client.in_barrier = true;
  if (in_barrier_ < ranks_) return false;
  in_barrier_ = 0;
  for (Client& other : clients_) other.in_barrier = false;
  return true;
}

const std::string* PmiServer::find_key(const std::string& key) const {
  auto found = keys_.find(key);
  return found == keys_.end() ? nullptr : &found->second;
}

}  // namespace starling::launch
