// SPDX-License-Identifier: BSD-3-Clause
#include "comm/comm.h"

#include <sys/random.h>
#include <unistd.h>

#include <atomic>
#include <utility>

#include "base/error.h"
#include "progress/worker.h"

namespace starling::comm {

namespace {

constexpr int kCounterBits = 38;
constexpr int kMakerBits = 23;
static_assert(1 + kCounterBits + kMakerBits == 62);

// Anywhere in the lower half, so that a process that gets the number of one that has ended does not repeat its contexts.
Context first_count() {
  Context random = 0;
  if (getrandom(&random, sizeof random, 0) < 0) random = static_cast<Context>(getpid()) * 0x9e3779b97f4a7c15;
  return random >> (64 - kCounterBits + 1);
}

}  // namespace

Context next_context() {
  // One counter for all workers of the process: more than unique, and nothing to look up.
  static std::atomic<Context> counter{first_count()};
  const auto maker = static_cast<Context>(getpid()) & ((Context{1} << kMakerBits) - 1);  // a process number has 22 bits
  const Context count = counter.fetch_add(1, std::memory_order_relaxed);
  if (count >> kCounterBits) fail(kErrNoMem, "this process has created too many communicators");
  return maker << (1 + kCounterBits) | count << 1;
}

std::vector<ProcessAddress> addresses_of(const Worker& worker, const Group& group) {
  std::vector<ProcessAddress> addresses;
  addresses.reserve(static_cast<std::size_t>(group.size));
  for (int r = 0; r < group.size; ++r) addresses.push_back(worker.address(group.peer(r)));
  return addresses;
}

Ref<Group> admit_group(Worker& worker, const std::vector<ProcessAddress>& members) {
  std::vector<Peer> peers;
  peers.reserve(members.size());
  for (const ProcessAddress& member : members) peers.push_back(worker.admit(member));
  return Ref<Group>::adopt(make_group(std::move(peers), worker.self()));
}

}  // namespace starling::comm
