// SPDX-License-Identifier: BSD-3-Clause
// A job of n ranks as processes of their own over a job segment: what p2p tests run on.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

#include "base/job.h"
#include "object/comm.h"
#include "p2p/p2p.h"
#include "progress/worker.h"
#include "transport/self/self.h"
#include "transport/shm/shm.h"

namespace starling::test {

// Runs body(world) in each of n processes; fails if a check fails in any of them, or one does not come to the end.
template <class Body>
void run_job(int n, Body&& body) {
  JobMapping job;
  const int segment = create_job_segment(static_cast<std::uint32_t>(n), kDefaultRingBytes, job);
  std::vector<pid_t> children;
  for (int rank = 0; rank < n; ++rank) {
    const pid_t pid = fork();
    if (pid > 0) {
      children.push_back(pid);
      continue;
    }
    alarm(600);  // a hanging rank ends the test, not the patience of the reader
    const auto self = static_cast<Peer>(rank);
    job.slot(self).pid.store(static_cast<std::uint32_t>(getpid()));
    {
      Worker worker(self, n);
      worker.job = job;
      worker.ranks_per_core = (n + 1) / 2;
      p2p::attach(worker);
      worker.add_transport(transport::make_self(worker));
      worker.add_transport(transport::make_shm(worker, job));
      auto group = Ref<Group>::adopt(object::make_consecutive_group(0, n, self));
      auto world = Ref<Comm>::adopt(object::make_comm(kWorldContext, worker, std::move(group), {}, nullptr));
      body(*world);
      p2p::drain(worker);
      // Nobody leaves while others may still read its memory.
      auto& header = job.header();
      header.finalizing.fetch_add(1);
      worker.wait([&] { return header.finalizing.load() >= static_cast<std::uint32_t>(n); });
    }
    std::fflush(nullptr);
    _exit(testing::Test::HasFailure() ? 1 : 0);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << "a rank failed or died";
  }
  munmap(job.base, job.header().total_bytes);
  close(segment);
}

}  // namespace starling::test
