// SPDX-License-Identifier: BSD-3-Clause
#include "coll/tuning.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <string>

#include "coll/allreduce/allreduce.h"
#include "coll/drive.h"

namespace starling::coll {

Trial::Turn Trial::next() {
  const int row = turn_ / kCallsInRow, call = turn_ % kCallsInRow;
  ++turn_;
  return {static_cast<std::size_t>(row) % candidates_.size(), call > 0};
}

std::vector<std::int64_t> Trial::medians() const {
  std::vector<std::int64_t> medians;
  for (const Candidate& candidate : candidates_) {
    std::vector<std::int64_t> times = candidate.times;
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    medians.push_back(times.empty() ? kNoTime : *middle);
  }
  return medians;
}

std::size_t Trial::best(const std::vector<std::int64_t>& worst_medians) {
  constexpr double kClearly = 0.95;
  const auto least = std::min_element(worst_medians.begin(), worst_medians.end());
  if (static_cast<double>(*least) >= kClearly * static_cast<double>(worst_medians.front())) return 0;
  return static_cast<std::size_t>(least - worst_medians.begin());
}

int size_class(Count bytes) { return bytes <= 1 ? 0 : std::bit_width(static_cast<std::uint64_t>(bytes - 1)); }
Count least_of_class(int k) { return k == 0 ? 0 : (Count{1} << (k - 1)) + 1; }
Count most_of_class(int k) { return k >= 63 ? kAnyBytes : Count{1} << k; }

bool is_tunable(Id id) {
  switch (id) {
    case Id::kGatherv:
    case Id::kScatterv:
    case Id::kAlltoallv:
    case Id::kAlltoallw:
      return false;
    default:
      return id < Id::kNeighborAllgather;
  }
}

ReduceArgs largest_of_all(std::vector<std::int64_t>& values) {
  return {kInPlace, values.data(), static_cast<Count>(values.size()), predefined_datatype(kCodeInt64T), predefined_op(kCodeMax),
          0};
}
const Algorithm<ReduceArgs>& agreement() { return *find(kAllreduce.intra, "recursive_doubling"); }

namespace {

void show(const Comm& comm, const Rule& rule, const Trial& trial, const std::vector<std::int64_t>& times) {
  std::string list;
  for (std::size_t i = 0; i < times.size(); ++i) {
    char text[100] = " -";
    if (times[i] != Trial::kNoTime) std::snprintf(text, sizeof text, " %.1f", static_cast<double>(times[i]) / 1000);
    list += std::string(i == 0 ? "" : ", ") + trial.candidates()[i].name + text;
  }
  std::fprintf(stderr, "starling: %s on %s (%d ranks), %lld to %lld bytes: %s, found by trying (us: %s)\n", name_of(rule.id),
               comm.name.empty() ? "a communicator" : comm.name.c_str(), comm.size, static_cast<long long>(rule.min_bytes),
               static_cast<long long>(rule.max_bytes), rule.algorithm, list.c_str());
}

}  // namespace

void conclude(Comm& comm, Id id, int k, Trial& trial) {
  std::vector<std::int64_t> times = trial.medians();
  Run run(*comm.worker, next_tag(comm, true), true);
  const Ctx c(run, comm);
  run_with(agreement(), run, c, largest_of_all(times));

  const int nodes = node_count(comm);
  const Rule rule{.id = id,
                  .algorithm = trial.candidates()[Trial::best(times)].name,
                  .min_bytes = least_of_class(k),
                  .max_bytes = most_of_class(k),
                  .min_ranks = comm.size,
                  .max_ranks = comm.size,
                  .cores = comm.worker->cores_shared ? Cores::kShared : Cores::kOwn,
                  .min_nodes = nodes,
                  .max_nodes = nodes};
  auto learned = comm.learned ? std::make_shared<Learned>(*comm.learned) : std::make_shared<Learned>();
  learned->rules.push_back(rule);
  comm.learned = std::move(learned);
  // Plans refer to the rules that they were made of.
  for (auto& plan : state_of(comm).plans) plan.reset();
  if (settings().show_coll > 0 && comm.rank == 0) show(comm, rule, trial, times);
  if (comm.worker->self() == 0) save_rule(rule);
}

}  // namespace starling::coll
