// SPDX-License-Identifier: BSD-3-Clause
// The agent's first half: the job segment, and one process for each rank.
#include <fcntl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <ctime>

#include "base/error.h"
#include "base/settings.h"
#include "launch/agent.h"
#include "launch/process.h"

namespace starling::launch {

namespace {

// Process numbers come again, and MPICH derives from this the name of its shared memory, which is left behind by jobs that were
// killed: a later job of the same name would find it.
std::string new_job_name() {
  std::uint64_t random = 0;
  if (getrandom(&random, sizeof random, 0) < 0) random = static_cast<std::uint64_t>(std::time(nullptr));
  char name[48];
  std::snprintf(name, sizeof name, "starling_%d_%016" PRIx64, static_cast<int>(getpid()), random);
  return name;
}

}  // namespace

Agent::Agent(const Plan& plan, ProcessTable* table, const sigset_t& signals, const sigset_t& rank_mask, pid_t front_group,
             const Origin& origin)
    : plan_(plan),
      table_(table),
      signals_(signals),
      rank_mask_(rank_mask),
      front_group_(front_group),
      origin_(origin),
      pmi_(*this, new_job_name(), plan.ranks(), plan.universe_size, plan.options.verbose),
      output_(plan_.options, plan.host),
      ranks_(index(plan.ranks())) {
  signal_fd_ = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signal_fd_ < 0) fail(kErrOther, "cannot wait for signals: %s", std::strerror(errno));
  // Each rank costs us up to four descriptors; the ranks themselves get the user's limit.
  getrlimit(RLIMIT_NOFILE, &file_limit_);
  rlimit raised = file_limit_;
  raised.rlim_cur = raised.rlim_max;
  setrlimit(RLIMIT_NOFILE, &raised);
  for (const auto& [key, value] : origin.preput) pmi_.put(key, value);
  if (origin.names_fd >= 0) pmi_.names().ask(origin.names_fd);
  if (!plan.options.name_server.empty() && !is_spawned()) pmi_.names().ask(connect_to_name_server());
  make_segment();
  if (plan.profile) make_profile_segment();
}

Agent::~Agent() {
  for (Rank& rank : ranks_)
    if (rank.inner_fd >= 0) close(rank.inner_fd);
  if (segment_fd_ >= 0) close(segment_fd_);
  if (profile_fd_ >= 0) close(profile_fd_);
  if (signal_fd_ >= 0) close(signal_fd_);
}

void Agent::make_segment() {
  segment_fd_ = create_job_segment(static_cast<std::uint32_t>(plan_.ranks()), kDefaultRingBytes, job_);
  job_.header().launcher_pid = static_cast<std::uint32_t>(getpid());
  job_.header().held.store(table_ && table_->holds(), std::memory_order_relaxed);  // the ranks do not run yet
  for (int rank = 0; rank < plan_.ranks(); ++rank) {
    const RankBinding& binding = plan_.binding.ranks[index(rank)];
    RankSlot& slot = job_.slot(static_cast<std::uint32_t>(rank));
    slot.first_cpu = binding.processors.empty() ? -1 : binding.processors.front();
    slot.ranks_per_core = binding.ranks_per_core;
  }
}

void Agent::make_profile_segment() {
  if (settings().profile_events < 1)
    fail(kErrArg, "MVP_PROFILE_EVENTS = %d: a profile needs at least one event", settings().profile_events);
  profile_fd_ = profile::create_segment(static_cast<std::uint32_t>(plan_.ranks()),
                                        static_cast<std::uint64_t>(settings().profile_events), profile_);
  if (profile_fd_ < 0) fail(kErrNoMem, "cannot make the profile segment: %s", std::strerror(errno));
}

std::vector<std::string> Agent::rank_environment(int rank, int pmi_fd) const {
  RankPlace place;
  place.rank = rank;
  place.ranks = plan_.ranks();
  place.program = plan_.program_of[index(rank)];
  place.universe_size = plan_.universe_size;
  place.pmi_fd = pmi_fd;
  place.spawned = is_spawned();
  const std::string files = "/proc/" + std::to_string(getpid()) + "/fd/";
  place.job_path = files + std::to_string(segment_fd_);
  if (profile_fd_ >= 0) place.profile_path = files + std::to_string(profile_fd_);
  return place_variables(place);
}

// False if a rank could not be started; then the job is ending.
bool Agent::start_ranks() {
  if (plan_.options.singleton_fd >= 0) {
    pmi_.adopt(0, plan_.options.singleton_fd);
    return true;
  }
  int null_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  for (int rank = 0; rank < plan_.ranks(); ++rank)
    if (!start_rank(rank, null_fd)) return false;
  close(null_fd);
  return true;
}

bool Agent::start_rank(int rank, int null_fd) {
  const PlannedProgram& program = program_of(rank);
  Rank& record = ranks_[index(rank)];
  int pmi_fd = pmi_.connect(rank, plan_.program_of[index(rank)]);
  Output::Ends ends = output_.open_rank(rank);
  std::vector<std::string> own = rank_environment(rank, pmi_fd);
  std::vector<char*> words, environment;
  for (const std::string& word : program.words) words.push_back(const_cast<char*>(word.c_str()));
  for (const std::string& entry : program.environment) environment.push_back(const_cast<char*>(entry.c_str()));
  for (const std::string& entry : own) environment.push_back(const_cast<char*>(entry.c_str()));
  words.push_back(nullptr);
  environment.push_back(nullptr);
  std::vector<unsigned long> mask = affinity_mask(plan_.binding.ranks[index(rank)]);

  SpawnRequest request;
  request.path = program.path.c_str();
  request.words = words.data();
  request.environment = environment.data();
  request.directory = program.directory.empty() ? nullptr : program.directory.c_str();
  request.standard[0] = rank == 0 && !is_spawned() ? -1 : null_fd;  // standard input is rank 0's
  request.standard[1] = ends.fd[0];
  request.standard[2] = ends.fd[1];
  request.kept_fd = pmi_fd;
  request.processors = mask.empty() ? nullptr : mask.data();
  request.processors_bytes = mask.size() * sizeof mask[0];
  // Only a process of the foreground group may read the terminal.
  record.shares_terminal = rank == 0 && !is_spawned() && isatty(0);
  request.process_group = record.shares_terminal ? front_group_ : 0;
  request.signal_mask = &rank_mask_;
  request.file_limit = &file_limit_;
  SpawnFailure failure;
  record.process = spawn(request, failure);
  close(pmi_fd);
  output_.started(ends);
  if (record.process < 0) {
    end_job(failure.error == ENOENT ? 127 : 126, "cannot start rank " + std::to_string(rank) + " (" + program.words[0] +
                                                     ") on host " + plan_.host + ": cannot " + failure.step + ": " +
                                                     std::strerror(failure.error));
    return false;
  }
  record.running = true;
  ++running_;
  if (plan_.options.verbose)
    std::fprintf(stderr, "mpiexec: rank %d is process %d, %s\n", rank, static_cast<int>(record.process), program.path.c_str());
  return true;
}

}  // namespace starling::launch
