// SPDX-License-Identifier: BSD-3-Clause
// Started by a process manager that speaks PMI-1 over an inherited socket (PMI_FD): MPICH's Hydra, Intel's mpiexec, srun --mpi=pmi1.
// Lines of blank-separated key=value pairs, one request, one answer. Rank 0 of the host makes the job segment and tells the others
// its path through the process manager's key-value space.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "base/settings.h"
#include "boot/launch.h"

namespace starling {

namespace {

class Pmi1Launch final : public Launch {
 public:
  Pmi1Launch(int fd, int my_rank, int my_size) : fd_(fd) {
    rank = my_rank;
    size = my_size;
    request("cmd=init pmi_version=1 pmi_subversion=1", "response_to_init");
    kvs_ = value(request("cmd=get_my_kvsname", "my_kvsname"), "kvsname");
    std::string appnum_text = value(request("cmd=get_appnum", "appnum"), "appnum");
    if (!appnum_text.empty()) appnum = std::atoi(appnum_text.c_str());
    std::string universe = value(request("cmd=get_universe_size", "universe_size"), "size");
    universe_size = universe.empty() ? 0 : std::atoi(universe.c_str());
    share_segment();
  }
  ~Pmi1Launch() override {
    if (segment_fd_ >= 0) close(segment_fd_);
  }

  const char* name() const override { return "PMI-1"; }
  void finalize() override {
    if (job.base) job.slot(static_cast<std::uint32_t>(rank)).state.store(RankState::kFinalized, std::memory_order_release);
    if (fd_ < 0) return;
    request("cmd=finalize", "finalize_ack");
    close(std::exchange(fd_, -1));
  }
  // PMI-1 knows no way back: to the process manager this rank stays finalized.
  void resume() override {
    if (job.base) job.slot(static_cast<std::uint32_t>(rank)).state.store(RankState::kInitialized, std::memory_order_release);
  }
  void abort(int code) override {
    if (fd_ >= 0) send("cmd=abort exitcode=" + std::to_string(code));
  }

 private:
  void share_segment() {
    if (rank == 0) {
      segment_fd_ = create_job_segment(static_cast<std::uint32_t>(size), kDefaultRingBytes, job);
      char host[256] = "";
      gethostname(host, sizeof host - 1);
      put("starling-segment", "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(segment_fd_));
      put("starling-host", host);
    }
    request("cmd=barrier_in", "barrier_out");
    if (rank != 0) {
      char host[256] = "";
      gethostname(host, sizeof host - 1);
      if (std::string first = get("starling-host"); first != host)
        fail(kErrOther, "rank %d runs on %s and rank 0 on %s: jobs across hosts are not supported yet", rank, host, first.c_str());
      job = map_job_segment(get("starling-segment"));
    }
    share_cores();
    auto& slot = job.slot(static_cast<std::uint32_t>(rank));
    slot.pid.store(static_cast<std::uint32_t>(getpid()), std::memory_order_relaxed);
    slot.state.store(RankState::kInitialized, std::memory_order_release);
    request("cmd=barrier_in", "barrier_out");  // rank 0 may close the descriptor only when all have mapped it
    if (segment_fd_ >= 0) close(std::exchange(segment_fd_, -1));
  }

  // Our mpiexec knows how many ranks share a core; here we assume that the ranks spread over all online processors.
  void share_cores() {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (processors < 1) processors = 1;
    job.slot(static_cast<std::uint32_t>(rank)).ranks_per_core = static_cast<std::uint32_t>((size + processors - 1) / processors);
  }

  void put(const std::string& key, const std::string& text) {
    request("cmd=put kvsname=" + kvs_ + " key=" + key + " value=" + text, "put_result");
  }
  std::string get(const std::string& key) { return value(request("cmd=get kvsname=" + kvs_ + " key=" + key, "get_result"), "value"); }

  void send(std::string line) {
    line += '\n';
    const char* p = line.data();
    for (std::size_t left = line.size(); left > 0;) {
      ssize_t n = write(fd_, p, left);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) fail(kErrOther, "the process manager closed its connection (PMI_FD %d): %s", fd_, std::strerror(errno));
      p += n;
      left -= static_cast<std::size_t>(n);
    }
  }

  std::string request(const std::string& line, const char* expected) {
    send(line);
    std::string answer;
    while (answer.empty() || answer.back() != '\n') {
      char c;
      ssize_t n = read(fd_, &c, 1);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) fail(kErrOther, "the process manager closed its connection (PMI_FD %d) instead of answering \"%s\"", fd_, line.c_str());
      answer += c;
    }
    answer.pop_back();
    if (value(answer, "cmd") != expected) fail(kErrOther, "the process manager answered \"%s\" to \"%s\"", answer.c_str(), line.c_str());
    return answer;
  }

  static std::string value(const std::string& line, const std::string& key) {
    auto start = line.rfind(key + "=", 0) == 0 ? 0 : line.find(" " + key + "=");
    if (start == std::string::npos) return "";
    start = line.find('=', start) + 1;
    return line.substr(start, line.find(' ', start) - start);
  }

  int fd_;
  int segment_fd_ = -1;
  std::string kvs_;
};

}  // namespace

std::unique_ptr<Launch> join_pmi1() {
  const char* fd = launcher_variable("PMI_FD");
  const char* rank = launcher_variable("PMI_RANK");
  const char* size = launcher_variable("PMI_SIZE");
  if (!fd || !rank || !size) return nullptr;
  return std::make_unique<Pmi1Launch>(std::atoi(fd), std::atoi(rank), std::atoi(size));
}

}  // namespace starling
