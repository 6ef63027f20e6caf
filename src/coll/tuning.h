// SPDX-License-Identifier: BSD-3-Clause
// Tuning while the job runs (MVP_COLL_DYNAMIC_TUNING): the first blocking calls of a collective with some size on a
// communicator try the algorithms that may be good; then all processes agree on the fastest, and the communicator remembers it.
//
// Everything but the times follows from the number of calls, which is the same on all processes: whose turn it is, and when
// they agree. So they never differ in the choice, however late one of them is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "coll/plan.h"
#include "coll/rules.h"
#include "coll/sample.h"

namespace starling::coll {

// One collective with sizes of one class, while its algorithms are being tried.
class Trial {
 public:
  struct Candidate {
    const void* algorithm;  // coll::Algorithm<Args> of the collective
    const char* name;
    std::vector<std::int64_t> times{};  // ns, of the calls that count
  };
  struct Turn {
    std::size_t candidate;
    bool counts;  // the first call of a row does not: it makes boards and connections, and waits for who is late from before
  };
  static constexpr int kRounds = 2, kCallsInRow = 4;
  static constexpr std::int64_t kNoTime = INT64_MAX;

  // The first candidate is what the rules choose. Without a second one there is nothing to try.
  explicit Trial(std::vector<Candidate> candidates) : candidates_(std::move(candidates)) {}

  bool over() const { return turn_ >= kRounds * kCallsInRow * static_cast<int>(candidates_.size()); }
  Turn next();  // of this call
  void note(const Turn& turn, std::int64_t ns) {
    if (turn.counts) candidates_[turn.candidate].times.push_back(ns);
  }
  const std::vector<Candidate>& candidates() const { return candidates_; }
  std::vector<std::int64_t> medians() const;  // of this process, for each candidate; kNoTime if it was never tried

  // The one to be used, by what all processes have measured: the first one unless another is clearly faster.
  static std::size_t best(const std::vector<std::int64_t>& worst_medians);

 private:
  std::vector<Candidate> candidates_;
  int turn_ = 0;
};

// The trials of a communicator, by collective and class of size.
struct Tuning {
  struct Cell {
    Id id;
    int k;
    std::unique_ptr<Trial> trial;  // nullptr: nothing is to be tried
  };
  std::vector<Cell> cells;
};

// Sizes of one class: (2^(k-1), 2^k] bytes, so that powers of two end one.
int size_class(Count bytes);
Count least_of_class(int k);
Count most_of_class(int k);

// The values become the largest of all processes'.
ReduceArgs largest_of_all(std::vector<std::int64_t>& values);
const Algorithm<ReduceArgs>& agreement();

// Agrees with the other processes and remembers the result.
void conclude(Comm& comm, Id id, int k, Trial& trial);

// Whether everybody knows how much is moved, and one call is like another.
bool is_tunable(Id id);

inline bool is_built_in(const Rule* rule) { return rule >= rules().data() && rule < rules().data() + rules().size(); }

// Which algorithms to try: those that apply, as far as the model does not think that they are far from the best.
template <class Args>
std::vector<Trial::Candidate> candidates_of(const Collective<Args>& collective, const Ctx& c, const Args& args, int k) {
  constexpr std::size_t kMost = 6;
  constexpr int kMostSimulatedRanks = 1024;
  constexpr Count kMostMessages = 20000;
  constexpr double kFactor = 3;
  const Algorithm<Args>& chosen = look_up(collective, c, args);
  std::vector<std::pair<const Algorithm<Args>*, double>> predicted;  // 0: by measuring only
  std::unique_ptr<Model> model;
  Args sample_args{};
  const bool whole = collective.id == Id::kAllgather || collective.id == Id::kAllgatherv ||
                     collective.id == Id::kReduceScatter ||
                     collective.id == Id::kReduceScatterBlock;  // their rules count the bytes of all blocks
  const Sample sample(c.size, whole ? std::max<Count>(1, most_of_class(k) / c.size) : most_of_class(k));
  sample.get(sample_args);
  if (c.size <= kMostSimulatedRanks) {
    ModelOptions options;
    options.node_of = nodes_of(c).node;
    model = std::make_unique<Model>(c.size, options);
  }
  double least = 0;
  for (const auto& algorithm : collective.intra) {
    if (&algorithm == &chosen || !applicable(algorithm, c, args, Order::kCalls)) continue;
    const double time = model ? predict(*model, collective, algorithm, sample_args, kMostMessages).value_or(0) : 0;
    if (time > 0 && (least == 0 || time < least)) least = time;
    predicted.emplace_back(&algorithm, time);
  }
  std::stable_sort(predicted.begin(), predicted.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<Trial::Candidate> candidates{{&chosen, chosen.name}};
  for (const auto& [algorithm, time] : predicted)
    if (candidates.size() < kMost && time <= kFactor * least) candidates.push_back({algorithm, algorithm->name});
  return candidates;
}

// The trial that this call belongs to, nullptr if there is none (any more). Called once for each call.
template <class Args>
[[gnu::noinline]] Trial* trial_of(const Collective<Args>& collective, const Ctx& c, const Args& args) {
  Comm& comm = *c.comm;
  if (comm.inter || comm.size == 1 || comm.worker->reproducible || !is_tunable(collective.id)) return nullptr;
  CollState& state = state_of(comm);
  if (!state.tuning) state.tuning = make_held<Tuning>();
  const int k = size_class(collective.bytes(c, args));
  auto& cells = state.tuning->cells;
  auto cell =
      std::find_if(cells.begin(), cells.end(), [&](const auto& other) { return other.id == collective.id && other.k == k; });
  const bool is_new = cell == cells.end();
  if (is_new) cell = cells.insert(cell, {collective.id, k, nullptr});
  std::unique_ptr<Trial>& trial = cell->trial;
  if (is_new) {
    // Whom the user, or an earlier trial, has named is not put to the test.
    const CollState::Choice* choice = first_choice(collective, c, args);
    if (choice && !is_built_in(choice->rule)) return nullptr;
    auto candidates = candidates_of(collective, c, args, k);
    if (candidates.size() > 1) trial = std::make_unique<Trial>(std::move(candidates));
  } else if (trial && trial->over()) {
    conclude(comm, collective.id, k, *trial);
    trial.reset();
  }
  return trial.get();
}

}  // namespace starling::coll
