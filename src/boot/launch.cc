// SPDX-License-Identifier: BSD-3-Clause
#include "boot/launch.h"

#include "base/settings.h"

namespace starling {

namespace {
struct Singleton final : Launch {
  const char* name() const override { return "singleton"; }
  void finalize() override {}
  void resume() override {}
  void abort(int) override {}
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
