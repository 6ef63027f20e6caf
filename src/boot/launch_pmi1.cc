// SPDX-License-Identifier: BSD-3-Clause
// Started by a process manager that speaks PMI-1 over an inherited socket (PMI_FD): MPICH's Hydra, Intel's mpiexec, srun
// --mpi=pmi1. Rank 0 of the host makes the job segment and tells the others its path through the process manager's key-value
// space.
#include <unistd.h>

#include <cstdlib>

#include "base/error.h"
#include "base/settings.h"
#include "boot/launch.h"
#include "boot/pmi1_client.h"

namespace starling {

namespace {

class Pmi1Launch final : public Launch {
 public:
  Pmi1Launch(int fd, int my_rank, int my_size) : pmi_(fd, false) {
    rank = my_rank;
    size = my_size;
    pmi_.join();
    std::string appnum_text = pmi_.value(pmi_.request("cmd=get_appnum", "appnum"), "appnum");
    if (!appnum_text.empty()) appnum = std::atoi(appnum_text.c_str());
    std::string universe = pmi_.value(pmi_.request("cmd=get_universe_size", "universe_size"), "size");
    universe_size = universe.empty() ? 0 : std::atoi(universe.c_str());
    const char* parent = launcher_variable("PMI_SPAWNED");
    spawned = parent && std::atoi(parent) > 0;
    share_segment();
  }

  const char* name() const override { return "PMI-1"; }
  void finalize() override {
    slot().state.store(RankState::kFinalized, std::memory_order_release);
    pmi_.leave();
  }
  // PMI-1 knows no way back: to the process manager this rank stays finalized.
  void resume() override { slot().state.store(RankState::kInitialized, std::memory_order_release); }
  void abort(int code) override { pmi_.abort(code); }
  boot::Pmi1Client& manager() override { return pmi_; }

 private:
  RankSlot& slot() { return job.slot(static_cast<std::uint32_t>(rank)); }

  void share_segment() {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    if (rank == 0) {
      // The descriptor stays open: processes of other jobs come by it (base/job.h).
      const int segment = create_job_segment(static_cast<std::uint32_t>(size), kDefaultRingBytes, job);
      pmi_.put("starling-segment", "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(segment));
      pmi_.put("starling-host", host);
    }
    pmi_.request("cmd=barrier_in", "barrier_out");
    if (rank != 0) {
      if (std::string first = pmi_.get("starling-host"); first != host)
        fail(kErrOther, "rank %d runs on %s and rank 0 on %s: jobs across hosts are not supported yet", rank, host,
             first.c_str());
      job = map_job_segment(pmi_.get("starling-segment"));
    }
    share_cores();
    slot().pid.store(static_cast<std::uint32_t>(getpid()), std::memory_order_relaxed);
    slot().state.store(RankState::kInitialized, std::memory_order_release);
    pmi_.request("cmd=barrier_in", "barrier_out");  // rank 0 may end only when all have mapped it
  }

  // Our mpiexec knows how many ranks share a core; here we assume that the ranks spread over all online processors.
  void share_cores() {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (processors < 1) processors = 1;
    slot().ranks_per_core = static_cast<std::uint32_t>((size + processors - 1) / processors);
  }

  boot::Pmi1Client pmi_;
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
