// SPDX-License-Identifier: BSD-3-Clause
// The plan of a communicator: for each collective that was used on it, the rules that hold for its size, with names resolved.
// So the choice for one call is a look at a few numbers.
#pragma once

#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/settings.h"
#include "coll/algorithm.h"
#include "coll/rules.h"
#include "progress/worker.h"

namespace starling {
namespace coll {
struct NodeMap;
}

// Owned by the communicator (Comm::coll); made with its first collective. Guarded by the worker lock.
struct CollState {
  struct Choice {
    Count min_bytes, max_bytes;
    const void* algorithm;  // coll::Algorithm<Args> of the collective
  };
  using Plan = std::vector<Choice>;
  std::array<std::unique_ptr<Plan>, coll::kIds> plans;
  std::shared_ptr<const coll::NodeMap> nodes;  // made with the first algorithm that asks (coll/nodes.h)
};

namespace coll {

CollState& state_of(Comm& comm);

template <class Args>
const Algorithm<Args>* find(std::span<const Algorithm<Args>> list, const char* name) {
  for (const auto& algorithm : list)
    if (std::strcmp(algorithm.name, name) == 0) return &algorithm;
  return nullptr;
}

// MVP_SHOW_COLL: one line for each choice, on stderr.
template <class Args>
void show_plan(const Collective<Args>& collective, const Comm& comm, const CollState::Plan& plan) {
  std::string operation = collective.persistent.name;  // MPI_Bcast_init
  operation.resize(operation.find("_init"));
  for (const auto& choice : plan) {
    const auto* algorithm = static_cast<const Algorithm<Args>*>(choice.algorithm);
    const std::string limit =
        choice.max_bytes == kAnyBytes ? "any size" : "up to " + std::to_string(choice.max_bytes) + " bytes";
    std::fprintf(stderr, "starling: %s on %s (%d ranks): %s%s, %s\n", operation.c_str(),
                 comm.name.empty() ? "a communicator" : comm.name.c_str(), comm.size, algorithm->name,
                 algorithm->applies ? " where it applies" : "", limit.c_str());
  }
}

template <class Args>
[[gnu::noinline]] const CollState::Plan& make_plan(const Collective<Args>& collective, const Comm& comm,
                                                   std::unique_ptr<CollState::Plan>& plan) {
  plan = std::make_unique<CollState::Plan>();
  const Cores cores = comm.worker->cores_shared ? Cores::kShared : Cores::kOwn;
  for (const Rule& rule : rules()) {
    if (rule.cores != Cores::kAny && rule.cores != cores) continue;
    if (rule.id != collective.id || comm.size < rule.min_ranks || comm.size > rule.max_ranks) continue;
    if (const auto* algorithm = find(collective.intra, rule.algorithm))
      plan->push_back({rule.min_bytes, rule.max_bytes, algorithm});
  }
  if (settings().show_coll > 0 && comm.rank == 0) show_plan(collective, comm, *plan);
  return *plan;
}

template <class Args>
const Algorithm<Args>& first_applicable(std::span<const Algorithm<Args>> list, const Ctx& c, const Args& args) {
  for (const auto& algorithm : list)
    if (!algorithm.applies || algorithm.applies(c, args)) return algorithm;
  return list.back();
}

// The algorithm for this call.
template <class Args>
const Algorithm<Args>& choose(const Collective<Args>& collective, const Ctx& c, const Args& args) {
  if (c.comm->inter) return first_applicable(collective.inter, c, args);
  auto& slot = state_of(*c.comm).plans[static_cast<std::size_t>(collective.id)];
  const CollState::Plan& plan = slot ? *slot : make_plan(collective, *c.comm, slot);
  const Count bytes = collective.bytes(c, args);
  for (const auto& choice : plan) {
    if (bytes < choice.min_bytes || bytes > choice.max_bytes) continue;
    const auto& algorithm = *static_cast<const Algorithm<Args>*>(choice.algorithm);
    if (!algorithm.applies || algorithm.applies(c, args)) return algorithm;
  }
  return first_applicable(collective.intra, c, args);
}

}  // namespace coll
}  // namespace starling
