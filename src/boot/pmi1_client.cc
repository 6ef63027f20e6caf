// SPDX-License-Identifier: BSD-3-Clause
#include "boot/pmi1_client.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/settings.h"

namespace starling::boot {

namespace {

// A value must be one word: blanks and line ends are written as %20, %0A.
std::string one_word(std::string_view text) {
  std::string word;
  for (char c : text) {
    if (c == ' ' || c == '%' || c == '\n') {
      char code[4];
      std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned>(c));
      word += code;
    } else {
      word += c;
    }
  }
  return word;
}

}  // namespace

Pmi1Client::~Pmi1Client() {
  if (fd_ >= 0) close(fd_);
}

void Pmi1Client::join() {
  request("cmd=init pmi_version=1 pmi_subversion=1", "response_to_init");
  kvs_ = value(request("cmd=get_my_kvsname", "my_kvsname"), "kvsname");
}

void Pmi1Client::leave() {
  if (fd_ < 0) return;
  request("cmd=finalize", "finalize_ack");
  close(std::exchange(fd_, -1));
}

void Pmi1Client::abort(int code) {
  if (fd_ >= 0) send("cmd=abort exitcode=" + std::to_string(code));
}

void Pmi1Client::put(const std::string& key, const std::string& text) {
  request("cmd=put kvsname=" + kvs_ + " key=" + key + " value=" + text, "put_result");
}

std::string Pmi1Client::get(const std::string& key) {
  const std::string answer = request("cmd=get kvsname=" + kvs_ + " key=" + key, "get_result");
  return value(answer, "rc") == "0" ? value(answer, "value") : "";
}

void Pmi1Client::send(std::string lines) {
  lines += '\n';
  const char* p = lines.data();
  for (std::size_t left = lines.size(); left > 0;) {
    const ssize_t n = write(fd_, p, left);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail(kErrOther, "the process manager has closed its connection (descriptor %d): %s", fd_, std::strerror(errno));
    p += n;
    left -= static_cast<std::size_t>(n);
  }
}

std::string Pmi1Client::request(const std::string& line, const char* expected) {
  if (fd_ < 0) fail(kErrOther, "the connection to the process manager is closed");
  send(line);
  std::string answer;
  while (answer.empty() || answer.back() != '\n') {
    char c;
    const ssize_t n = read(fd_, &c, 1);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0)
      fail(kErrOther, "the process manager has closed its connection (descriptor %d) instead of answering \"%s\"", fd_,
           line.c_str());
    answer += c;
  }
  answer.pop_back();
  if (value(answer, "cmd") != expected)
    fail(kErrOther, "the process manager answered \"%s\" to \"%s\"", answer.c_str(), line.c_str());
  return answer;
}

std::string Pmi1Client::value(const std::string& answer, const std::string& key) {
  auto start = answer.rfind(key + "=", 0) == 0 ? 0 : answer.find(" " + key + "=");
  if (start == std::string::npos) return "";
  start = answer.find('=', start) + 1;
  return answer.substr(start, answer.find(' ', start) - start);
}

namespace {

bool is_program(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && access(path.c_str(), X_OK) == 0;
}

// Our mpiexec answers when it could not start a program. Hydra says that it has, and the root would wait for ever: better to
// look first.
void check_startable(const comm::SpawnCommand& command) {
  std::string folder, places;
  for (const auto& [key, value] : command.info) {
    if (key == "wdir") folder = value + "/";
    if (key == "path") places = value + ":";
  }
  const std::string& name = command.command;
  if (name.find('/') != name.npos) {
    if (is_program(name[0] == '/' ? name : folder + name)) return;
  } else {
    if (const char* path = launcher_variable("PATH")) places += path;
    for (std::size_t start = 0, end; start < places.size(); start = end + 1) {
      end = std::min(places.find(':', start), places.size());
      if (is_program(places.substr(start, end - start) + "/" + name)) return;
    }
  }
  fail(kErrSpawn, "there is no program %s that could be started", name.c_str());
}

}  // namespace

// One block of a spawn. An argument with a line end is not for PMI-1; our mpiexec takes it encoded. An empty one is too much
// for Hydra, which ends the job.
std::string Pmi1Client::spawn_lines(const comm::SpawnCommand& command, std::size_t number, std::size_t of,
                                    const std::string& port) const {
  std::string lines = "mcmd=spawn\nnprocs=" + std::to_string(command.ranks) + "\nexecname=" + command.command +
                      "\ntotspawns=" + std::to_string(of) + "\nspawnssofar=" + std::to_string(number) + "\n";
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    const std::string& argument = command.arguments[i];
    const std::string key = "arg" + std::to_string(i + 1);
    const bool plain = !argument.empty() && argument.find('\n') == std::string::npos;
    if (!plain && !ours_)
      fail(kErrSpawn, "argument %zu of %s is empty or has several lines, which not every process manager can pass on", i + 1,
           command.command.c_str());
    lines += plain || argument.empty() ? key + "=" + argument + "\n" : "encoded_" + key + "=" + one_word(argument) + "\n";
  }
  lines += "argcnt=" + std::to_string(command.arguments.size()) + "\npreput_num=1\npreput_key_0=" + kParentPort +
           "\npreput_val_0=" + port + "\ninfo_num=" + std::to_string(command.info.size()) + "\n";
  for (std::size_t i = 0; i < command.info.size(); ++i)
    lines += "info_key_" + std::to_string(i) + "=" + command.info[i].first + "\ninfo_val_" + std::to_string(i) + "=" +
             command.info[i].second + "\n";
  return lines + "endcmd\n";
}

pid_t Pmi1Client::spawn(const std::vector<comm::SpawnCommand>& commands, const std::string& port) {
  std::string lines;
  if (!ours_)
    for (const comm::SpawnCommand& command : commands) check_startable(command);
  for (std::size_t i = 0; i < commands.size(); ++i) lines += spawn_lines(commands[i], i + 1, commands.size(), port);
  lines.pop_back();  // the last line end comes with the request
  const std::string answer = request(lines, "spawn_result");
  if (value(answer, "rc") != "0") {
    std::string reason = value(answer, "msg");
    for (char& c : reason) c = c == '_' ? ' ' : c;
    fail(kErrSpawn, "the process manager could not start %s: %s", commands[0].command.c_str(),
         reason.empty() ? "it does not say why" : reason.c_str());
  }
  return static_cast<pid_t>(std::atoi(value(answer, "process").c_str()));
}

void Pmi1Client::publish(std::string_view service, std::string_view port) {
  const std::string answer =
      request("cmd=publish_name service=" + one_word(service) + " port=" + one_word(port), "publish_result");
  const std::string result = value(answer, "rc");
  if (result != "0" && !(result.empty() && value(answer, "info") == "ok"))
    fail(kErrService, "the name \"%.*s\" is published already", static_cast<int>(service.size()), service.data());
}

std::string Pmi1Client::lookup(std::string_view service) {
  const std::string answer = request("cmd=lookup_name service=" + one_word(service), "lookup_result");
  const std::string port = value(answer, "port");
  if (value(answer, "rc") == "0" || value(answer, "info") == "ok") return port;
  fail(kErrName, "nobody has published the name \"%.*s\"", static_cast<int>(service.size()), service.data());
}

void Pmi1Client::unpublish(std::string_view service) {
  const std::string answer = request("cmd=unpublish_name service=" + one_word(service), "unpublish_result");
  if (value(answer, "rc") != "0" && value(answer, "info") != "ok")
    fail(kErrService, "the name \"%.*s\" is not published", static_cast<int>(service.size()), service.data());
}

}  // namespace starling::boot
