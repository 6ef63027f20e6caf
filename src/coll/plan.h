// SPDX-License-Identifier: BSD-3-Clause
// The plan of a communicator: for each collective that was used on it, the rules that hold for its size, with names resolved.
// So the choice for one call is a look at a few numbers.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/events.h"
#include "base/settings.h"
#include "coll/algorithm.h"
#include "coll/board.h"
#include "coll/rules.h"
#include "coll/selection.h"
#include "coll/state.h"
#include "progress/worker.h"

namespace starling {

// What was found out on a communicator while the job runs (coll/tuning.h). Never changed, only replaced: communicators of the
// same processes share it.
struct Learned {
  std::vector<coll::Rule> rules;
};

namespace coll {

// MVP_SHOW_COLL: one line for each choice, on stderr.
template <class Args>
void show_plan(const Collective<Args>& collective, const Comm& comm, const CollState::Plan& plan) {
  std::string operation = collective.persistent.name;  // MPI_Bcast_init
  operation.resize(operation.find("_init"));
  for (const auto& choice : plan) {
    const auto* algorithm = static_cast<const Algorithm<Args>*>(choice.algorithm);
    const std::string limit =
        choice.max_bytes == kAnyBytes ? "any size" : "up to " + std::to_string(choice.max_bytes) + " bytes";
    std::fprintf(stderr, "starling: %s on %s (%d ranks): %s%s, %s%s\n", operation.c_str(),
                 comm.name.empty() ? "a communicator" : comm.name.c_str(), comm.size, algorithm->name,
                 algorithm->applies ? " where it applies" : "", limit.c_str(), choice.rule ? "" : ", by a setting");
  }
}

// How many nodes the communicator covers.
int node_count(const Comm& comm);

inline bool holds(const Rule& rule, const Comm& comm) {
  if (rule.cores != Cores::kAny && rule.cores != (comm.worker->cores_shared ? Cores::kShared : Cores::kOwn)) return false;
  if (comm.size < rule.min_ranks || comm.size > rule.max_ranks) return false;
  if (rule.min_nodes <= 1 && rule.max_nodes == kAnyRanks) return true;
  const int nodes = node_count(comm);
  return nodes >= rule.min_nodes && nodes <= rule.max_nodes;
}

// What settings say comes first, then the user's rules, then what was found out by trying, then our rules.
template <class Args>
[[gnu::noinline]] const CollState::Plan& make_plan(const Collective<Args>& collective, const Comm& comm, bool blocking,
                                                   std::unique_ptr<CollState::Plan>& slot) {
  auto plan = std::make_unique<CollState::Plan>();
  if (const auto* algorithm = named_by_setting(collective.intra, collective.id, false, blocking))
    plan->push_back({0, kAnyBytes, algorithm, nullptr});
  for (const Rule& rule : user_rules()) {
    if (rule.id != collective.id || !holds(rule, comm)) continue;
    const auto& algorithm = named(collective.intra, collective.id, rule.algorithm, "MVP_COLL_TUNING_FILE");
    plan->push_back({rule.min_bytes, rule.max_bytes, &algorithm, &rule});
  }
  const std::span<const Rule> learned = blocking && comm.learned ? std::span(comm.learned->rules) : std::span<const Rule>();
  for (const std::span<const Rule> more : {learned, rules()}) {
    for (const Rule& rule : more) {
      if (rule.id != collective.id || !holds(rule, comm)) continue;
      if (const auto* algorithm = find(collective.intra, rule.algorithm))
        plan->push_back({rule.min_bytes, rule.max_bytes, algorithm, &rule});
    }
  }
  // What is found by trying is shown when it is found; plans are made again then.
  if (settings().show_coll > 0 && comm.rank == 0 && !comm.learned) show_plan(collective, comm, *plan);
  slot = std::move(plan);
  return *slot;
}

// What each call passes through is always inlined: its calls would lie on as many pages of code, and ranks that share a
// processor find none of them in its buffers when their turn comes.

// Whether an operation runs when it is called, in the same order everywhere, or whenever its request is started.
enum class Order : unsigned char { kCalls, kAny };

template <class Args>
bool applicable(const Algorithm<Args>& algorithm, const Ctx& c, const Args& args, Order order) {
  if ((algorithm.traits & kInCallOrder) && order != Order::kCalls) return false;
  if constexpr (requires { args.op; })
    if (c.run->worker.reproducible && !(algorithm.traits & kCanonical) && !c.comm->inter) return false;
  return !algorithm.applies || algorithm.applies(c, args);
}

template <class Args>
const Algorithm<Args>& first_applicable(std::span<const Algorithm<Args>> list, const Ctx& c, const Args& args, Order order) {
  for (const auto& algorithm : list)
    if (applicable(algorithm, c, args, order)) return algorithm;
  return list.back();
}

// The first choice of the plan that holds for this call; nullptr: none does.
template <class Args>
[[gnu::always_inline]] inline const CollState::Choice* first_choice(const Collective<Args>& collective, const Ctx& c,
                                                                    const Args& args, Order order = Order::kCalls) {
  const std::size_t index = static_cast<std::size_t>(collective.id) + (c.run->blocking ? 0 : kIds);
  auto& slot = state_of(*c.comm).plans[index];
  const CollState::Plan& plan = slot ? *slot : make_plan(collective, *c.comm, c.run->blocking, slot);
  const Count bytes = collective.bytes(c, args);
  for (const auto& choice : plan) {
    if (bytes < choice.min_bytes || bytes > choice.max_bytes) continue;
    if (applicable(*static_cast<const Algorithm<Args>*>(choice.algorithm), c, args, order)) return &choice;
  }
  return nullptr;
}

template <class Args>
[[gnu::noinline]] const Algorithm<Args>& look_up_inter(const Collective<Args>& collective, const Ctx& c, const Args& args,
                                                       Order order) {
  const auto* algorithm = named_by_setting(collective.inter, collective.id, true, c.run->blocking);
  return algorithm && applicable(*algorithm, c, args, order) ? *algorithm : first_applicable(collective.inter, c, args, order);
}

template <class Args>
[[gnu::always_inline]] inline const Algorithm<Args>& look_up(const Collective<Args>& collective, const Ctx& c, const Args& args,
                                                             Order order = Order::kCalls) {
  if (c.comm->inter) [[unlikely]]
    return look_up_inter(collective, c, args, order);
  const CollState::Choice* choice = first_choice(collective, c, args, order);
  return choice ? *static_cast<const Algorithm<Args>*>(choice->algorithm) : first_applicable(collective.intra, c, args, order);
}

// The place of an algorithm among all of its collective: Counters::algorithms.
template <class Args>
std::size_t place_of(const Collective<Args>& collective, const Algorithm<Args>& algorithm, bool inter) {
  const auto& list = inter ? collective.inter : collective.intra;
  return static_cast<std::size_t>(&algorithm - list.data()) + (inter ? collective.intra.size() : 0);
}

// Tells tools which algorithm a call takes.
template <class Args>
[[gnu::always_inline]] inline void note_choice(const Collective<Args>& collective, const Ctx& c, const Args& args,
                                               const Algorithm<Args>& algorithm) {
  const std::size_t place = place_of(collective, algorithm, c.comm->inter);
  ++c.comm->worker->counters.algorithms[static_cast<std::size_t>(collective.id)][place];
  if (events::wanted()) [[unlikely]]
    events::pass_on(events::Kind::kAlgorithmChosen, {static_cast<std::int64_t>(collective.id), static_cast<std::int64_t>(place),
                                                     collective.bytes(c, args), c.comm->size});
}

// The algorithm for this call.
template <class Args>
[[gnu::always_inline]] inline const Algorithm<Args>& choose(const Collective<Args>& collective, const Ctx& c, const Args& args,
                                                            Order order = Order::kCalls) {
  const Algorithm<Args>& algorithm = look_up(collective, c, args, order);
  note_choice(collective, c, args, algorithm);
  return algorithm;
}

}  // namespace coll
}  // namespace starling
