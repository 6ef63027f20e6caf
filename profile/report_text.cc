// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "profile/report.h"

namespace starling::profile {

namespace {

constexpr std::size_t kShownCalls = 15;
constexpr std::size_t kShownRanks = 16;
constexpr std::size_t kShownPairs = 10;

[[gnu::format(printf, 1, 2)]] std::string format(const char* text, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, text);
  std::vsnprintf(line, sizeof line, text, arguments);
  va_end(arguments);
  return line;
}

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

std::string size_text(double bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  unsigned unit = 0;
  for (; bytes >= 1024 && unit < 4; bytes /= 1024) ++unit;
  return format(unit == 0 || bytes >= 100 ? "%.0f %s" : "%.1f %s", bytes, units[unit]);
}

std::string bucket_text(unsigned bucket) {
  if (bucket < 2) return format("%u B", bucket);
  double first = static_cast<double>(std::uint64_t{1} << (bucket - 1));
  return size_text(first) + " to < " + size_text(2 * first);
}

std::string rank_table(const Result& result) {
  std::string text = "\nrank     run s  compute  waiting transfer    other   others waited for it\n";
  // The ranks for which the others waited most are those to look at.
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < result.ranks.size(); ++i)
    if (result.ranks[i].state != RankState::kAbsent) order.push_back(i);
  if (order.size() > kShownRanks) {
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return result.ranks[a].caused > result.ranks[b].caused; });
    order.resize(kShownRanks);
  }
  for (std::size_t i : order) {
    const RankResult& rank = result.ranks[i];
    text +=
        format("%4zu %9.3f  %6.1f%%  %6.1f%%  %6.1f%%  %6.1f%%   %9.3f s", i, rank.run, percent(rank.compute, rank.run),
               percent(rank.waiting, rank.run), percent(rank.transfer, rank.run), percent(rank.other, rank.run), rank.caused);
    if (rank.state == RankState::kRunning)
      text += rank.inside.empty() ? ", ended outside of MPI before MPI_Finalize"
                                  : format(", ended after %.3f s in %s", rank.inside_for, rank.inside.c_str());
    text += "\n";
  }
  if (static_cast<int>(order.size()) < result.present)
    text += format("     ... and %zu more ranks\n", static_cast<std::size_t>(result.present) - order.size());
  return text;
}

std::string call_table(const Result& result) {
  double run = 0;
  for (const RankResult& rank : result.ranks) run += rank.run;
  std::string text =
      "\ncall                      count    total s   average us    longest us  of run  waiting transfer  least (rank)   most "
      "(rank) s\n";
  for (std::size_t i = 0; i < std::min(kShownCalls, result.calls.size()); ++i) {
    const CallResult& call = result.calls[i];
    std::string split = format("%7.1f%% %7.1f%%", percent(call.waiting, call.total), percent(call.transfer, call.total));
    if (call.waiting + call.transfer == 0) split = "       -        -";
    text +=
        format("%-20s %10llu %10.3f %12.2f %13.1f %6.1f%% %s %7.3f (%d) %9.3f (%d)\n", call.name,
               static_cast<unsigned long long>(call.count), call.total, 1e6 * call.total / static_cast<double>(call.count),
               1e6 * call.max, percent(call.total, run), split.c_str(), call.least, call.least_rank, call.most, call.most_rank);
  }
  if (result.calls.size() > kShownCalls) text += format("... and %zu more functions\n", result.calls.size() - kShownCalls);
  return text;
}

std::string size_table(const Result& result) {
  std::string text = "\nsize                         messages sent        bytes    collective parts        bytes\n";
  for (unsigned b = 0; b < kSizeBuckets; ++b) {
    const SizeCount &sent = result.message_sizes[b], &part = result.collective_sizes[b];
    if (sent.messages + part.messages == 0) continue;
    text += format("%-24s %17llu %12s %19llu %12s\n", bucket_text(b).c_str(), static_cast<unsigned long long>(sent.messages),
                   size_text(static_cast<double>(sent.bytes)).c_str(), static_cast<unsigned long long>(part.messages),
                   size_text(static_cast<double>(part.bytes)).c_str());
  }
  return text;
}

std::string pair_table(const Result& result) {
  struct Pair {
    std::size_t from, to;
    Traffic traffic;
  };
  std::vector<Pair> pairs;
  for (std::size_t from = 0; from < result.traffic.size(); ++from)
    for (std::size_t to = 0; to < result.traffic[from].size(); ++to)
      if (result.traffic[from][to].messages) pairs.push_back({from, to, result.traffic[from][to]});
  if (pairs.empty()) return {};
  std::stable_sort(pairs.begin(), pairs.end(), [](auto& a, auto& b) { return a.traffic.bytes > b.traffic.bytes; });
  std::string text = "\nfrom   to     messages        bytes\n";
  for (std::size_t i = 0; i < std::min(kShownPairs, pairs.size()); ++i)
    text += format("%4zu %4zu %12llu %12s\n", pairs[i].from, pairs[i].to,
                   static_cast<unsigned long long>(pairs[i].traffic.messages),
                   size_text(static_cast<double>(pairs[i].traffic.bytes)).c_str());
  if (pairs.size() > kShownPairs) text += format("... and %zu more pairs\n", pairs.size() - kShownPairs);
  return text;
}

std::string conclusion(const Result& result) {
  std::string text = format("\nwith a perfect interconnect: %.3f s instead of %.3f s (%.1f%% less)", result.perfect,
                            result.elapsed, percent(result.elapsed - result.perfect, result.elapsed));
  text += format("; perfectly balanced as well, not less than %.3f s\n", result.perfect_least);
  auto late = std::max_element(result.ranks.begin(), result.ranks.end(), [](auto& a, auto& b) { return a.caused < b.caused; });
  if (late->caused > 0.01 * result.elapsed)
    text += format("most waited for: rank %td, %.3f s in all\n", late - result.ranks.begin(), late->caused);
  if (result.present < static_cast<int>(result.ranks.size()))
    text += format("incomplete: %zu ranks did not come to the end of MPI_Init\n",
                   result.ranks.size() - static_cast<std::size_t>(result.present));
  if (result.thinned)
    text += format("so many waits that one in %u was looked at (MVP_PROFILE_EVENTS keeps more)\n", 1u << result.thinned);
  if (result.unmatched)
    text += format("of %llu waits the other side of %llu is not known; they count as other\n",
                   static_cast<unsigned long long>(result.events), static_cast<unsigned long long>(result.unmatched));
  if (result.lost_channels)
    text += format("too many different tags: %llu messages were not matched\n",
                   static_cast<unsigned long long>(result.lost_channels));
  return text;
}

}  // namespace

std::string text_report(const Result& result) {
  std::string program;
  for (const RankResult& rank : result.ranks)
    if (program.empty()) program = rank.program;
  return format("\nMPI profile of %.300s, %zu ranks, %.3f s between MPI_Init and MPI_Finalize\n", program.c_str(),
                result.ranks.size(), result.elapsed) +
         rank_table(result) + call_table(result) + size_table(result) + pair_table(result) + conclusion(result);
}

}  // namespace starling::profile
