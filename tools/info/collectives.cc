// SPDX-License-Identifier: BSD-3-Clause
#include "collectives.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <vector>

#include "coll/allgather/allgather.h"
#include "coll/allreduce/allreduce.h"
#include "coll/alltoall/alltoall.h"
#include "coll/barrier/barrier.h"
#include "coll/bcast/bcast.h"
#include "coll/gather/gather.h"
#include "coll/model.h"
#include "coll/plan.h"
#include "coll/reduce/reduce.h"
#include "coll/reduce_scatter/reduce_scatter.h"
#include "coll/sample.h"
#include "coll/scan/scan.h"
#include "coll/scatter/scatter.h"

namespace starling::info {

namespace {

using namespace coll;

// Runs with more messages take too long to be simulated one by one.
constexpr Count kMostMessages = 2500000;

std::unique_ptr<Model> make_model(int ranks, int nodes) {
  ModelOptions options;
  for (int rank = 0; rank < ranks; ++rank) options.node_of.push_back(static_cast<int>(std::int64_t{rank} * nodes / ranks));
  return std::make_unique<Model>(ranks, options);
}

std::string range(const char* what, std::int64_t low, std::int64_t high, std::int64_t least, std::int64_t any) {
  char text[80] = "";
  if (low > least && high < any)
    std::snprintf(text, sizeof text, ", %lld to %lld %s", static_cast<long long>(low), static_cast<long long>(high), what);
  if (low > least && high == any) std::snprintf(text, sizeof text, ", at least %lld %s", static_cast<long long>(low), what);
  if (low <= least && high < any) std::snprintf(text, sizeof text, ", at most %lld %s", static_cast<long long>(high), what);
  return text;
}

std::string reason(const CollState::Choice* choice, const NamingSetting& setting) {
  if (!choice) return "no rule holds: the first that applies";
  if (!choice->rule) return setting.variable;
  const Rule& rule = *choice->rule;
  std::string conditions = range("bytes", rule.min_bytes, rule.max_bytes == 0 ? kAnyBytes : rule.max_bytes, 0, kAnyBytes) +
                           range("ranks", rule.min_ranks, rule.max_ranks, 1, kAnyRanks) +
                           range("nodes", rule.min_nodes, rule.max_nodes, 1, kAnyRanks);
  if (rule.cores != Cores::kAny) conditions += rule.cores == Cores::kOwn ? ", cores not shared" : ", cores shared";
  const std::span<const Rule> user = user_rules();
  const bool users = !user.empty() && &rule >= user.data() && &rule < user.data() + user.size();
  return (users ? "rule of " + settings().coll_tuning_file : std::string("built-in rule")) +
         (conditions.empty() ? ", always" : conditions);
}

// One collective: the choice, and what all algorithms that apply are predicted to take.
template <class Args>
std::string choice_text(Model& model, const Collective<Args>& collective, const Args& args) {
  View view(model);
  const Algorithm<Args>& chosen = choose(collective, view.c, args);
  char line[240];
  std::snprintf(line, sizeof line, "%-21s %-36s %s\n", name_of(collective.id), chosen.name,
                reason(first_choice(collective, view.c, args), naming_setting(collective.id, false, true)).c_str());
  std::string text = line, times;
  for (const auto& algorithm : collective.intra)
    if (const std::optional<double> time = predict(model, collective, algorithm, args, kMostMessages)) {
      std::snprintf(line, sizeof line, "%s%s %.1f", times.empty() ? "" : ", ", algorithm.name, *time / 1000);
      times += line;
    }
  if (!times.empty()) text += "    predicted us: " + times + "\n";
  return text;
}

// What cannot be simulated is drawn on from smaller numbers of ranks: all algorithms take a combination of log2 p, p and
// p log2 p.
double extrapolate(const std::array<double, 3>& p, const std::array<double, 3>& time, double ranks) {
  auto row = [](double n) { return std::array<double, 3>{std::log2(n), n, n * std::log2(n)}; };
  std::array<std::array<double, 3>, 3> m{row(p[0]), row(p[1]), row(p[2])};
  auto determinant = [](const auto& a) {
    return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
           a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
  };
  const double all = determinant(m);
  const std::array<double, 3> wanted = row(ranks);
  double sum = 0;
  for (std::size_t column = 0; column < 3; ++column) {
    auto replaced = m;
    for (std::size_t i = 0; i < 3; ++i) replaced[i][column] = time[i];
    sum += determinant(replaced) / all * wanted[column];
  }
  return sum;
}

constexpr std::array kScales{4, 16, 64, 256, 1024, 4096, 16384, 65536};
constexpr int kMostForAll = 1024;  // of algorithms in which every process looks at every other

// Times of all algorithms (rows) for all numbers of ranks (columns).
template <class Args, class MakeArgs>
std::string scaling_text(const Collective<Args>& collective, int ranks_per_node, MakeArgs&& make_args) {
  const std::size_t algorithms = collective.intra.size();
  std::vector<std::vector<std::optional<double>>> times(algorithms, std::vector<std::optional<double>>(kScales.size()));
  std::vector<const Algorithm<Args>*> chosen;
  for (std::size_t scale = 0; scale < kScales.size(); ++scale) {
    const int ranks = kScales[scale];
    const auto model = make_model(ranks, std::max(1, ranks / ranks_per_node));
    const Sample sample = make_args.sample(ranks);
    const Args args = make_args.args(sample);
    View view(*model);
    chosen.push_back(&choose(collective, view.c, args));
    for (std::size_t i = 0; i < algorithms; ++i)
      if (ranks <= kMostForAll || !make_args.all_pairs)
        times[i][scale] = predict(*model, collective, collective.intra[i], args, kMostMessages);
  }
  char cell[64];
  std::string text = std::string(name_of(collective.id)) + ", microseconds (* the choice, ~ drawn on from fewer ranks)\n";
  std::snprintf(cell, sizeof cell, "%-36s", "ranks");
  text += cell;
  for (int ranks : kScales) std::snprintf(cell, sizeof cell, " %11d", ranks), text += cell;
  text += "\n";
  for (std::size_t i = 0; i < algorithms; ++i) {
    std::snprintf(cell, sizeof cell, "%-36s", collective.intra[i].name);
    std::string line = cell;
    bool any = false;
    for (std::size_t scale = 0; scale < kScales.size(); ++scale) {
      std::optional<double> time = times[i][scale];
      const bool drawn = !time && scale >= 3 && times[i][2];
      std::size_t last = scale;
      while (drawn && !times[i][last]) --last;
      if (drawn && last >= 2)
        time = extrapolate({double(kScales[last - 2]), double(kScales[last - 1]), double(kScales[last])},
                           {*times[i][last - 2], *times[i][last - 1], *times[i][last]}, kScales[scale]);
      any |= time.has_value();
      const char* mark = &collective.intra[i] == chosen[scale] ? "*" : "";
      if (time) {
        char number[32];
        std::snprintf(number, sizeof number, "%s%.1f%s", drawn ? "~" : "", *time / 1000, mark);
        std::snprintf(cell, sizeof cell, " %11s", number);
      } else {
        std::snprintf(cell, sizeof cell, " %11s", "-");
      }
      line += cell;
    }
    if (any) text += line + "\n";
  }
  return text;
}

template <class Args>
struct Maker {
  Count bytes;
  bool all_pairs;
  Args (*args)(const Sample&);
  Sample sample(int ranks) const { return Sample(ranks, bytes); }
};

}  // namespace

std::string collectives_report(const Job& job) {
  const auto model = make_model(job.ranks, std::clamp(job.nodes, 1, job.ranks));
  const Sample vector(job.ranks, job.bytes), parts(job.ranks, std::max<Count>(1, job.bytes / job.ranks));
  char head[240];
  std::snprintf(
      head, sizeof head,
      "%d ranks on %d nodes, %lld bytes: of the vector (bcast, reductions, scans), of a block (gather, scatter,\n"
      "alltoall), of the whole result (allgather) or input (reduce_scatter). Predictions: LogGP model, not this machine.\n\n",
      job.ranks, std::clamp(job.nodes, 1, job.ranks), static_cast<long long>(job.bytes));
  return head + choice_text(*model, kBarrier, BarrierArgs{}) + choice_text(*model, kBcast, vector.bcast()) +
         choice_text(*model, kGather, vector.gather(true)) + choice_text(*model, kGatherv, vector.gather(false)) +
         choice_text(*model, kScatter, vector.scatter(true)) + choice_text(*model, kScatterv, vector.scatter(false)) +
         choice_text(*model, kAllgather, parts.allgather(true)) + choice_text(*model, kAllgatherv, parts.allgather(false)) +
         choice_text(*model, kAlltoall, vector.alltoall(true)) + choice_text(*model, kAlltoallv, vector.alltoall(false)) +
         choice_text(*model, kReduce, vector.reduce()) + choice_text(*model, kAllreduce, vector.reduce()) +
         choice_text(*model, kReduceScatterBlock, parts.reduce_scatter()) +
         choice_text(*model, kReduceScatter, parts.reduce_scatter()) + choice_text(*model, kScan, vector.reduce()) +
         choice_text(*model, kExscan, vector.reduce());
}

std::string simulation_report(std::string_view collective, int ranks_per_node, std::int64_t bytes) {
  std::string text;
  auto wanted = [&](const char* name) { return collective.empty() || collective == name; };
  if (wanted("allreduce"))
    text +=
        scaling_text(kAllreduce, ranks_per_node, Maker<ReduceArgs>{bytes, false, [](const Sample& s) { return s.reduce(); }});
  if (wanted("bcast"))
    text += scaling_text(kBcast, ranks_per_node, Maker<BcastArgs>{bytes, false, [](const Sample& s) { return s.bcast(); }});
  if (wanted("alltoall"))
    text += scaling_text(kAlltoall, ranks_per_node,
                         Maker<AlltoallArgs>{bytes, true, [](const Sample& s) { return s.alltoall(true); }});
  if (text.empty()) return text;
  char head[120];
  std::snprintf(head, sizeof head, "%lld bytes, %d ranks on each node; LogGP model, not this machine\n",
                static_cast<long long>(bytes), ranks_per_node);
  return head + text;
}

}  // namespace starling::info
