// SPDX-License-Identifier: BSD-3-Clause
#include "boot/launch.h"

#include <unistd.h>

#include "base/settings.h"
#include "boot/pmi1_client.h"

namespace starling {

namespace {

// A process that nobody has started as a part of a job is a job of its own, so that others may connect to it.
class Singleton final : public Launch {
 public:
  Singleton() {
    create_job_segment(1, kDefaultRingBytes, job);
    job.slot(0).pid.store(static_cast<std::uint32_t>(getpid()), std::memory_order_relaxed);
    resume();
  }
  const char* name() const override { return "singleton"; }
  void finalize() override {
    job.slot(0).state.store(RankState::kFinalized, std::memory_order_release);
    if (manager_) manager_->leave();
    manager_.reset();
  }
  void resume() override { job.slot(0).state.store(RankState::kInitialized, std::memory_order_release); }
  void abort(int code) override {
    if (manager_) manager_->abort(code);
  }
  boot::Pmi1Client& manager() override {
    if (!manager_) manager_ = std::make_unique<boot::Pmi1Client>(boot::start_process_manager(), true);
    return *manager_;
  }

 private:
  std::unique_ptr<boot::Pmi1Client> manager_;
};

}  // namespace

std::unique_ptr<Launch> join_singleton() { return std::make_unique<Singleton>(); }

std::unique_ptr<Launch> Launch::join() {
  if (const char* path = launcher_variable("STARLING_JOB")) {
    auto launch = join_starling(path);
    return launch ? std::move(launch) : join_singleton();
  }
  if (auto launch = join_pmi1()) return launch;
  return join_singleton();
}

}  // namespace starling
