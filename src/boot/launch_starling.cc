// SPDX-License-Identifier: BSD-3-Clause
// Started by our mpiexec: everything is in the job segment, no message is exchanged unless the program spawns or names ports.
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>

#include "base/error.h"
#include "base/settings.h"
#include "boot/launch.h"
#include "boot/pmi1_client.h"

namespace starling {

namespace {

int number(const char* name) {
  const char* text = launcher_variable(name);
  return text ? std::atoi(text) : -1;
}

class StarlingLaunch final : public Launch {
 public:
  StarlingLaunch(JobMapping mapping, int my_rank) {
    job = mapping;
    rank = my_rank;
    size = static_cast<int>(mapping.header().ranks);
    universe_size = number("PMI_UNIVERSE_SIZE") > 0 ? number("PMI_UNIVERSE_SIZE") : size;
    appnum = number("PMI_APPNUM") > 0 ? number("PMI_APPNUM") : 0;
    spawned = number("PMI_SPAWNED") > 0;
    // When a wrapper (a shell, python) stands between mpiexec and this process, its end must end us too.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
  }
  const char* name() const override { return "mpiexec"; }
  // release: whoever sees the state also sees what this rank wrote before.
  void finalize() override { slot().state.store(RankState::kFinalized, std::memory_order_release); }
  void resume() override { slot().state.store(RankState::kInitialized, std::memory_order_release); }
  void abort(int code) override {
    JobHeader& header = job.header();
    std::uint32_t none = 0;
    if (header.abort_state.compare_exchange_strong(none, 1, std::memory_order_relaxed)) {
      header.abort_rank = rank;
      header.abort_code = code;
      header.abort_state.store(2, std::memory_order_release);  // the launcher reads rank and code after it sees 2
    }
    kill(static_cast<pid_t>(header.launcher_pid), SIGCHLD);
  }

  boot::Pmi1Client& manager() override {
    if (!manager_) manager_ = std::make_unique<boot::Pmi1Client>(number("PMI_FD"), true);
    return *manager_;
  }

 private:
  RankSlot& slot() { return job.slot(static_cast<std::uint32_t>(rank)); }

  std::unique_ptr<boot::Pmi1Client> manager_;
};

}  // namespace

// nullptr when this process merely inherited the environment of a rank (a program that a rank started): it is a singleton.
std::unique_ptr<Launch> join_starling(const char* segment_path) {
  int rank = number("PMI_RANK");
  if (rank < 0) fail(kErrOther, "STARLING_JOB is set but PMI_RANK is not");
  JobMapping mapping = map_job_segment(segment_path);
  if (static_cast<std::uint32_t>(rank) >= mapping.header().ranks)
    fail(kErrOther, "PMI_RANK is %d, but the job has %u ranks", rank, mapping.header().ranks);
  RankSlot& slot = mapping.slot(static_cast<std::uint32_t>(rank));
  std::uint32_t nobody = 0;
  auto me = static_cast<std::uint32_t>(getpid());
  if (!slot.pid.compare_exchange_strong(nobody, me, std::memory_order_acq_rel) && nobody != me) return nullptr;
  constexpr useconds_t kLookMicroseconds = 10000;
  while (mapping.header().held.load(std::memory_order_acquire) != 0) usleep(kLookMicroseconds);
  slot.state.store(RankState::kInitialized, std::memory_order_release);
  return std::make_unique<StarlingLaunch>(mapping, rank);
}

}  // namespace starling
