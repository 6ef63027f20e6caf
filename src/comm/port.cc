// SPDX-License-Identifier: BSD-3-Clause
// Ports (MPI 5.0 section 11.9) and MPI_Comm_join: how processes that have no communicator in common find each other. A port is
// a listening Unix socket in the abstract name space, so there is no file, and it is gone with its process. Over it the two
// leaders only introduce their groups; messages go through the job segments (transport/shm/guests.h).
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <map>
#include <memory>

#include "base/error.h"
#include "comm/dynamic.h"
#include "comm/entry.gen.h"
#include "comm/hardware.h"
#include "object/info.h"
#include "progress/worker.h"

namespace starling::comm {

namespace {

constexpr std::uint64_t kGreeting = 0x3130445254534750;  // tells this protocol and its version
constexpr char kPrefix[] = "starling:";

struct Hello {
  std::uint64_t greeting;
  std::uint64_t machine;
  Introduction says;
};

// A descriptor that is closed at the end.
struct Descriptor {
  int fd;
  explicit Descriptor(int f) : fd(f) {}
  Descriptor(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) close(fd);
  }
};

// The abstract address of a port name. Throws Error(kErrPort) for a name that is none.
sockaddr_un address_of(std::string_view port, socklen_t& length) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t prefix = sizeof kPrefix - 1;
  if (port.substr(0, prefix) != kPrefix || port.size() > sizeof address.sun_path)
    fail(kErrPort, "\"%.*s\" is not the name of a port", static_cast<int>(port.size()), port.data());
  // The first byte of an abstract name is zero.
  std::memcpy(address.sun_path + 1, port.data() + prefix, port.size() - prefix);
  length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + port.size() - prefix);
  return address;
}

// Abstract names have no owner: who is at the other end?
bool same_user(int fd) {
  ucred peer{};
  socklen_t length = sizeof peer;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0 && peer.uid == geteuid();
}

std::map<std::string, std::unique_ptr<Port>, std::less<>>& ports() {
  static auto* instance = new std::map<std::string, std::unique_ptr<Port>, std::less<>>;
  return *instance;
}

std::uint64_t now_s() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec);
}

// How long MPI_Comm_connect waits for MPI_Comm_accept: the key is MPICH's, and so is the default.
int seconds_to_connect(const Info* info) {
  constexpr int kDefault = 180;
  const std::string* text = info ? info->find("timeout") : nullptr;
  int seconds = 0;
  const bool number = text && std::from_chars(text->data(), text->data() + text->size(), seconds).ec == std::errc{};
  return number && seconds > 0 ? seconds : kDefault;
}

[[noreturn]] void closed() { fail(kErrPort, "the process at the other end of the port has closed the connection"); }

void connect_to(int fd, const sockaddr_un& address, socklen_t length, std::string_view port, Worker& worker) {
  // EAGAIN: more processes are waiting at the port than the kernel lets.
  while (::connect(fd, reinterpret_cast<const sockaddr*>(&address), length) != 0) {
    if (errno != EAGAIN && errno != EINTR)
      fail(kErrPort, "cannot connect to port %.*s: %s", static_cast<int>(port.size()), port.data(), std::strerror(errno));
    if (worker.progress_all() == 0) worker.step_aside([] { usleep(1000); });
  }
  if (!same_user(fd)) fail(kErrPort, "port %.*s belongs to another user", static_cast<int>(port.size()), port.data());
}

}  // namespace

Channel::Channel(Worker& worker, int fd, int patience) : worker_(worker), fd_(fd), patience_(patience) {
  if (patience > 0) until_ = now_s() + static_cast<std::uint64_t>(patience);
}

void Channel::await(short events, pid_t job) {
  constexpr int kLongest = 20;  // ms until the next look at the messages
  pollfd set{fd_, events, 0};
  for (int patience = 0; poll(&set, 1, 0) == 0;) {
    if (worker_.progress_all() > 0) {
      patience = 0;
      continue;
    }
    if (job > 0 && kill(job, 0) != 0 && errno == ESRCH)
      fail(kErrSpawn, "the new processes have ended before they called MPI_Init");
    if (until_ != 0 && now_s() >= until_)
      fail(kErrPort, "nobody has accepted the connection in %d s (info key timeout)", patience_);
    patience = patience < kLongest ? patience + 1 : kLongest;
    worker_.step_aside([&] { poll(&set, 1, patience / 4 + 1); });
  }
}

void Channel::send(const void* data, std::size_t bytes) {
  auto* at = static_cast<const std::byte*>(data);
  while (bytes > 0) {
    const ssize_t n = ::send(fd_, at, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (n > 0) {
      at += n;
      bytes -= static_cast<std::size_t>(n);
    } else if (errno == EAGAIN) {
      await(POLLOUT);
    } else if (errno != EINTR) {
      closed();
    }
  }
}

void Channel::receive(void* data, std::size_t bytes) {
  auto* at = static_cast<std::byte*>(data);
  while (bytes > 0) {
    const ssize_t n = recv(fd_, at, bytes, MSG_DONTWAIT);
    if (n > 0) {
      until_ = 0;
      at += n;
      bytes -= static_cast<std::size_t>(n);
    } else if (n < 0 && errno == EAGAIN) {
      await(POLLIN);
    } else if (n == 0 || errno != EINTR) {
      closed();
    }
  }
}

OtherSide meet(const Comm& local, Channel channel, bool first) {
  Worker& worker = *local.worker;
  if (!worker.job.base) fail(kErrUnsupportedOperation, "this job has no segment by which others could reach it");
  const Hello mine{kGreeting, resource_at(Level::kMachine), introduce(local)};
  const std::vector<ProcessAddress> my_members = addresses_of(worker, *local.group);
  const auto tell = [&] {
    channel.send(&mine, sizeof mine);
    channel.send(my_members.data(), my_members.size() * sizeof(ProcessAddress));
  };
  OtherSide theirs;
  Hello hello;
  if (first) tell();
  channel.receive(&hello, sizeof hello);
  if (hello.greeting != kGreeting) fail(kErrPort, "the process at the other end is not of this library, or of another version");
  theirs.says = hello.says;
  theirs.members.resize(static_cast<std::size_t>(hello.says.size));
  channel.receive(theirs.members.data(), theirs.members.size() * sizeof(ProcessAddress));
  if (!first) tell();
  if (hello.machine != mine.machine) theirs.members.clear();
  agree(mine.says, theirs.says);
  return theirs;
}

Port::Port() : fd_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
  if (fd_ < 0) fail(kErrPort, "cannot make a socket: %s", std::strerror(errno));
  const std::uint64_t number = next_context();  // a number that nobody else has had
  name_ = kPrefix + std::to_string(getpid()) + "." + std::to_string(number);
  socklen_t length;
  const sockaddr_un address = address_of(name_, length);
  if (bind(fd_, reinterpret_cast<const sockaddr*>(&address), length) == 0 && listen(fd_, SOMAXCONN) == 0) return;
  const int error = errno;
  close(fd_);
  fail(kErrPort, "cannot open port %s: %s", name_.c_str(), std::strerror(error));
}

Port::~Port() { close(fd_); }

OtherSide Port::accept(const Comm& local, pid_t job) const {
  for (;;) {
    Channel(*local.worker, fd_).await(POLLIN, job);
    Descriptor guest(accept4(fd_, nullptr, nullptr, SOCK_CLOEXEC));
    if (guest.fd < 0 || !same_user(guest.fd)) continue;
    try {
      return meet(local, Channel(*local.worker, guest.fd), true);
    } catch (const Error& error) {
      if (error.error_class != kErrPort) throw;  // else it has lost patience; the next one, please
    }
  }
}

void open_port(Info*, std::string& port_name) {
  auto port = std::make_unique<Port>();
  port_name = port->name();
  ports().emplace(port_name, std::move(port));
}

void close_port(std::string_view port_name) {
  auto found = ports().find(port_name);
  if (found == ports().end())
    fail(kErrPort, "this process has not opened port \"%.*s\"", static_cast<int>(port_name.size()), port_name.data());
  ports().erase(found);
}

void comm_accept(std::string_view port_name, Info*, int root, Comm& comm, Comm*& newcomm) {
  newcomm = create_inter(comm, root, [&] {
    auto found = ports().find(port_name);
    if (found == ports().end())
      fail(kErrPort, "this process has not opened port \"%.*s\"", static_cast<int>(port_name.size()), port_name.data());
    return found->second->accept(comm);
  });
}

void comm_connect(std::string_view port_name, Info* info, int root, Comm& comm, Comm*& newcomm) {
  newcomm = create_inter(comm, root, [&] {
    socklen_t length;
    const sockaddr_un address = address_of(port_name, length);
    Descriptor host(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (host.fd < 0) fail(kErrPort, "cannot make a socket: %s", std::strerror(errno));
    connect_to(host.fd, address, length, port_name, *comm.worker);
    return meet(comm, Channel(*comm.worker, host.fd, seconds_to_connect(info)), false);
  });
}

void comm_join(int fd, Comm*& intercomm) {
  intercomm = nullptr;
  if (!comm_self()) fail(kErrOther, "MPI_Comm_join needs MPI_COMM_SELF, which MPI_Init makes");
  sockaddr_storage name;
  socklen_t length = sizeof name;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&name), &length) != 0)
    fail(kErrArg, "fd = %d is not a connected socket: %s", fd, std::strerror(errno));
  // Both may talk at once: two introductions fit into any socket.
  OtherSide theirs = meet(*comm_self(), Channel(*comm_self()->worker, fd), true);
  if (!theirs.members.empty()) intercomm = join_sides(*comm_self(), 0, std::move(theirs));
}

}  // namespace starling::comm
