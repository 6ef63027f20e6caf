// SPDX-License-Identifier: BSD-3-Clause
// Starting and stopping the library: the world model and sessions share one worker, made by whoever comes first.
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/settings.h"
#include "boot/async_progress.h"
#include "boot/backtrace.h"
#include "boot/launch.h"
#include "boot/leaks.h"
#include "boot/pmi1_client.h"
#include "boot/runtime.h"
#include "boot/world.h"
#include "comm/comm.h"
#include "comm/dynamic.h"
#include "datatype/datatype.h"
#include "memory/heap.h"
#include "object/errhandler.h"
#include "p2p/p2p.h"
#include "progress/threads.h"
#include "transport/doorbell.h"
#include "transport/self/self.h"
#include "transport/shm/shm.h"

namespace starling::boot {

namespace {

void print_settings(int level) {
  std::fprintf(stderr, "starling settings (%s)\n", level > 1 ? "all" : "changed");
  for (const SettingRow& row : setting_rows())
    if (level > 1 || row.origin != "default")
      std::fprintf(stderr, "  MVP_%-24.*s %-16s %s\n", static_cast<int>(row.name.size()), row.name.data(), row.current.c_str(),
                   row.origin.c_str());
}

void greet() {
  for (const std::string& message : unknown_settings()) std::fprintf(stderr, "starling: warning: %s\n", message.c_str());
  if (settings().show_env_info > 0) print_settings(settings().show_env_info);
}

// That of the launch, which makes it when it is needed.
struct LaunchManager final : comm::ProcessManager {
  pid_t spawn(const std::vector<comm::SpawnCommand>& commands, const std::string& port) override {
    return manager().spawn(commands, port);
  }
  void publish(std::string_view service, std::string_view port) override { manager().publish(service, port); }
  std::string lookup(std::string_view service) override { return manager().lookup(service); }
  void unpublish(std::string_view service) override { manager().unpublish(service); }

  static Pmi1Client& manager() { return runtime().launch->manager(); }
};
constinit LaunchManager the_manager;

// Whether a file such as "always [madvise] never" has this choice.
bool chosen(const char* file, std::string_view choice) {
  char text[128] = "";
  if (std::FILE* f = std::fopen(file, "re")) {
    if (!std::fgets(text, sizeof text, f)) text[0] = 0;
    std::fclose(f);
  }
  return std::string_view(text).find(choice) != std::string_view::npos;
}

bool heap_wanted() {
  const std::string& choice = settings().shm_heap;
  for (const char* no : {"no", "0", "off", "false"})
    if (choice == no) return false;
  if (choice != "auto") return true;
  // Where the system gives large pages to whoever uses memory, but not to memory that is shared, a program's own work is worth
  // more.
  const bool large_pages = chosen("/sys/kernel/mm/transparent_hugepage/enabled", "[always]");
  return !large_pages || chosen("/sys/kernel/mm/transparent_hugepage/shmem_enabled", "[always]") ||
         chosen("/sys/kernel/mm/transparent_hugepage/shmem_enabled", "[advise]");
}

void share_heap(RankSlot& slot) {
  const memory::HeapPlace place = memory::open_heap();
  slot.heap_fd = place.fd;
  slot.heap_reserved = place.reserved;
  slot.heap_base.store(place.base, std::memory_order_release);
}

// Ranks that are not bound and share cores begin evenly spread over them, and may be moved from there: as they wait by
// yielding, all look busy to the kernel, which takes some tens of milliseconds to see that one core has more of them than
// another.
void spread_out(const Runtime& r) {
  const RankSlot& slot = r.launch->job.slot(static_cast<std::uint32_t>(r.rank));
  cpu_set_t allowed, one;
  if (slot.first_cpu >= 0 || slot.ranks_per_core <= 1 || sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  int before = r.rank % std::max(CPU_COUNT(&allowed), 1);  // processors that are others' turn
  for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &allowed) || before-- > 0) continue;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    if (sched_setaffinity(0, sizeof one, &one) == 0) sched_setaffinity(0, sizeof allowed, &allowed);
    return;
  }
}

void make_worker(Runtime& r) {
  object::set_abort(abort_job);
  r.launch = Launch::join().release();
  r.rank = r.launch->rank;
  r.size = r.launch->size;
  r.worker = new Worker(static_cast<Peer>(r.rank), r.size);
  p2p::attach(*r.worker);
  r.worker->add_transport(transport::make_self(*r.worker));
  if (r.launch->job.base) {
    r.worker->job = r.launch->job;
    r.worker->peers.set_job(r.launch->job);
    r.worker->ranks_per_core = static_cast<int>(r.launch->job.slot(static_cast<std::uint32_t>(r.rank)).ranks_per_core);
    for (std::uint32_t i = 0; i < r.launch->job.header().ranks; ++i)
      r.worker->cores_shared = r.worker->cores_shared || r.launch->job.slot(i).ranks_per_core > 1;
    if (r.launch->job.header().ranks > 1 && heap_wanted()) share_heap(r.launch->job.slot(static_cast<std::uint32_t>(r.rank)));
    r.worker->add_transport(transport::make_shm(*r.worker, r.launch->job));
    spread_out(r);
  }
  if (settings().debug_show_backtrace) install_backtrace(r.rank);
  if (r.rank == 0) greet();
}

// Those that this process may use. Unless the launcher has bound it, all ranks of the host use the same ones.
int processors_for_threads(const Runtime& r) {
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return std::numeric_limits<int>::max();
  const bool bound = r.launch->job.base && r.launch->job.slot(static_cast<std::uint32_t>(r.rank)).first_cpu >= 0;
  return std::max(CPU_COUNT(&allowed) / (bound ? 1 : r.size), 1);
}

// The other workers, for threads. How many there are is told once: whoever makes a communicator with this process must find the
// same number.
void complete_team(Runtime& r, int thread_level) {
  if (!r.launch->job.base) return;
  RankSlot& slot = r.launch->job.slot(static_cast<std::uint32_t>(r.rank));
  // The thread for progress serves home only.
  const bool several = thread_level == kThreadMultiple && !settings().async_progress;
  const int wanted = settings().workers > 0 ? settings().workers : processors_for_threads(r);
  const int workers = several ? std::clamp(wanted, 1, static_cast<int>(kMostWorkers)) : 1;
  for (int number = 1; number < workers; ++number) {
    auto* worker = new Worker(r.worker->self(), r.size, r.worker);
    p2p::attach(*worker);
    worker->add_transport(transport::make_self(*worker));
    worker->add_transport(transport::make_shm(*worker, r.launch->job, number));
  }
  slot.workers.store(static_cast<std::uint32_t>(workers), std::memory_order_release);
  for (std::uint32_t i = 0; i < r.launch->job.header().ranks; ++i) doorbell::ring(r.launch->job.slot(i).sleeping);
}

}  // namespace

void acquire(int thread_level) {
  Runtime& r = runtime();
  if (!r.worker) {
    make_worker(r);
    complete_team(r, thread_level);
  } else if (r.users == 0) {
    r.launch->resume();
  }
  if (r.users++ == 0) {
    comm::set_process(r.worker, r.launch->universe_size, r.launch->appnum);
    comm::set_process_manager(&the_manager);
  }
  if (thread_level > r.thread_level) r.thread_level = thread_level;
  if (thread_level == kThreadMultiple && !r.worker->multithreaded) {
    for (Worker* worker : r.worker->team()) worker->multithreaded = true;
    set_processors(processors_for_threads(r));
  }
  if (settings().async_progress && r.worker->team().size() == 1) start_async_progress(r);
}

void release() {
  Runtime& r = runtime();
  if (--r.users > 0) return;
  r.worker->stop_helper();
  p2p::drain(*r.worker);  // for sessions; after MPI_Finalize nothing is left
  if (settings().report_leaks) report_leaks(*r.worker);
  comm::leave_others(*r.worker);
  comm::set_process(nullptr, 0, -1);
  comm::set_process_manager(nullptr);
  r.launch->finalize();
}

namespace {

Comm* make_predefined(unsigned code, Context context, std::vector<Peer> peers, const char* name) {
  Worker& worker = *runtime().worker;
  Group* group = object::make_group(std::move(peers), worker.self());
  Comm* comm = object::make_comm(context, worker, Ref<Group>::adopt(group), {}, nullptr);
  comm->code = static_cast<std::uint16_t>(code);
  comm->name = name;
  return comm;
}

}  // namespace

void open_world() {
  const Runtime& r = runtime();
  std::vector<Peer> all(static_cast<std::size_t>(r.size));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<Peer>(i);
  object::set_world(make_predefined(kCodeCommWorld, kWorldContext, std::move(all), "MPI_COMM_WORLD"));
  object::set_self(make_predefined(kCodeCommSelf, kSelfContext, {static_cast<Peer>(r.rank)}, "MPI_COMM_SELF"));
  if (std::exchange(r.launch->spawned, false))  // once: a world that is opened again has no parent
    comm::join_parent(*comm_world(), r.rank == 0 ? r.launch->manager().get_port_of_parent() : "");
}

namespace {

// MPI_Finalize is collective: nobody leaves while another may still need it to answer. Serves the others meanwhile. A rank that
// never comes is dead or late; of the former the launcher takes care.
void wait_for_all(const Runtime& r) {
  constexpr unsigned kYields = 1000, kPauseMicroseconds = 500, kPausesPerSecond = 1'000'000 / kPauseMicroseconds;
  if (!r.launch->job.base) return;
  const unsigned hang_pauses = static_cast<unsigned>(std::max(settings().hang_timeout, 0)) * kPausesPerSecond;
  JobHeader& header = r.launch->job.header();
  header.finalizing.fetch_add(1, std::memory_order_acq_rel);
  for (unsigned idle = 0; header.finalizing.load(std::memory_order_acquire) < header.ranks; ++idle) {
    if (r.worker->progress_all() > 0) {
      idle = 0;
    } else if (idle < kYields) {
      r.worker->step_aside([] { sched_yield(); });
    } else {
      r.worker->step_aside([] { usleep(kPauseMicroseconds); });
      const unsigned pauses = idle - kYields;
      if (hang_pauses != 0 && pauses > hang_pauses && pauses % kPausesPerSecond == 0)
        leave_waits(r.launch->job.slot(static_cast<std::uint32_t>(r.rank)), &kWaitsForAnybody, 1);
    }
  }
}

}  // namespace

// MPI 5.0, 11.2.4: the attributes of MPI_COMM_SELF go first, in the reverse order of their creation, while MPI still works.
void close_world() {
  comm_self()->attributes.clear(*comm_self());
  comm_world()->attributes.clear(*comm_world());
  comm::leave_parent();
  p2p::drain(*runtime().worker);  // sends whose requests were freed still belong to their receivers
  wait_for_all(runtime());
  destroy(*comm_self());
  destroy(*comm_world());
  object::set_self(nullptr);
  object::set_world(nullptr);
}

}  // namespace starling::boot
