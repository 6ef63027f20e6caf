// SPDX-License-Identifier: BSD-3-Clause
#include "boot/async_progress.h"

#include <sched.h>

#include <cstdlib>
#include <string>

#include "base/error.h"
#include "base/settings.h"
#include "boot/launch.h"
#include "p2p/request.h"

namespace starling::boot {

namespace {

struct Place {
  int cpu = -1;           // -1: where the application runs
  bool own_core = false;  // nobody else computes there
};

cpu_set_t processors_of(pid_t process) {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(process, sizeof set, &set);
  return set;
}

// MVP_ASYNC_PROGRESS_CORE: the entry of this rank. Who names a processor knows that it is free.
Place named_place(const std::string& list, int rank) {
  const char* at = list.c_str();
  for (int entry = 0;; ++entry) {
    char* end;
    const long cpu = std::strtol(at, &end, 10);
    if (end == at || (*end && *end != ':') || cpu < 0 || cpu >= CPU_SETSIZE)
      fail(kErrArg, "MVP_ASYNC_PROGRESS_CORE: \"%s\" is not a list of processors as in 2:3", list.c_str());
    if (entry == rank) return {static_cast<int>(cpu), true};
    if (!*end) return {};
    at = end + 1;
  }
}

// The n-th rank of the host gets the n-th processor that the launcher may use and no rank is bound to.
Place free_place(const JobMapping& job, int rank) {
  const auto ranks = static_cast<int>(job.header().ranks);
  const cpu_set_t own = processors_of(0);
  if (CPU_COUNT(&own) > 1) return {-1, job.slot(static_cast<std::uint32_t>(rank)).first_cpu >= 0 || CPU_COUNT(&own) > ranks};
  cpu_set_t free = processors_of(static_cast<pid_t>(job.header().launcher_pid));
  for (int i = 0; i < ranks; ++i)
    if (const int cpu = job.slot(static_cast<std::uint32_t>(i)).first_cpu; cpu >= 0) CPU_CLR(static_cast<unsigned>(cpu), &free);
  for (int cpu = 0, number = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(static_cast<unsigned>(cpu), &free) && number++ == rank) return {cpu, true};
  return {};
}

Place find_place(const Runtime& r) {
  const std::string& list = settings().async_progress_core;
  if (!list.empty()) return named_place(list, r.rank);
  if (r.launch->job.base && r.launch->job.header().launcher_pid != 0) return free_place(r.launch->job, r.rank);
  return {};
}

}  // namespace

void start_async_progress(const Runtime& r) {
  const Place place = find_place(r);
  r.worker->start_helper({p2p::any_under_way, p2p::requests_begun}, place.cpu, place.own_core);
}

}  // namespace starling::boot
