// SPDX-License-Identifier: BSD-3-Clause
#include "launch/names.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "base/error.h"
#include "launch/pmi.h"

namespace starling::launch {

Names::~Names() {
  if (server_ >= 0) close(server_);
}

void Names::ask(int server) {
  if (server_ >= 0) close(server_);
  server_ = server;
}

std::string Names::request(const std::string& line) {
  if (send(server_, line.data(), line.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(line.size())) return "";
  std::string answer;
  char buffer[2048];
  while (answer.empty() || answer.back() != '\n') {
    const ssize_t n = recv(server_, buffer, sizeof buffer, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return "";
    answer.append(buffer, static_cast<std::size_t>(n));
  }
  answer.pop_back();
  return answer;
}

bool Names::publish(const std::string& service, const std::string& port) {
  if (server_ < 0) return ports_.emplace(service, port).second;
  const std::string line = PmiMessage("publish_name").add("service", service).add("port", port).text_blanks();
  return PmiMessage::parse_blanks(request(line)).get("rc") == "0";
}

bool Names::unpublish(const std::string& service) {
  if (server_ < 0) return ports_.erase(service) > 0;
  const std::string line = PmiMessage("unpublish_name").add("service", service).text_blanks();
  return PmiMessage::parse_blanks(request(line)).get("rc") == "0";
}

std::optional<std::string> Names::lookup(const std::string& service) {
  if (server_ < 0) {
    auto found = ports_.find(service);
    return found == ports_.end() ? std::nullopt : std::optional(found->second);
  }
  const std::string line = PmiMessage("lookup_name").add("service", service).text_blanks();
  const PmiMessage answer = PmiMessage::parse_blanks(request(line));
  return answer.get("rc") == "0" ? std::optional(answer.get("port")) : std::nullopt;
}

std::string Names::serve(const std::string& line) {
  const PmiMessage request = PmiMessage::parse_blanks(line);
  const std::string& service = request.get("service");
  if (request.command() == "publish_name") {
    const bool good = publish(service, request.get("port"));
    return PmiMessage("publish_result").add("rc", good ? 0 : 1).add("msg", good ? "success" : "service_exists").text_blanks();
  }
  if (request.command() == "unpublish_name") {
    const bool good = unpublish(service);
    return PmiMessage("unpublish_result")
        .add("rc", good ? 0 : 1)
        .add("msg", good ? "success" : "service_not_found")
        .text_blanks();
  }
  if (request.command() == "lookup_name") {
    const std::optional<std::string> port = lookup(service);
    return port ? PmiMessage("lookup_result").add("rc", 0).add("port", *port).text_blanks()
                : PmiMessage("lookup_result").add("rc", 1).add("msg", "service_not_found").text_blanks();
  }
  return "";
}

namespace {

int open_socket(const char* what, int (*use)(int, const sockaddr*, socklen_t)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string name = "starling-names-" + std::to_string(geteuid());
  std::memcpy(address.sun_path + 1, name.data(), name.size());  // the zero in front: an abstract name
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && use(fd, reinterpret_cast<const sockaddr*>(&address), length) == 0) return fd;
  const int error = errno;
  if (fd >= 0) close(fd);
  fail(kErrOther, "%s: %s", what, std::strerror(error));
}

}  // namespace

int listen_as_name_server() {
  const int fd = open_socket("cannot become the name server of this user; is there one already?", bind);
  if (listen(fd, SOMAXCONN) != 0) fail(kErrOther, "cannot listen: %s", std::strerror(errno));
  return fd;
}

int connect_to_name_server() { return open_socket("cannot reach the name server; has mpi_nameserver been started?", connect); }

}  // namespace starling::launch
