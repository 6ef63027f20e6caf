// SPDX-License-Identifier: BSD-3-Clause
#include "object/comm.h"

#include <sys/random.h>
#include <unistd.h>

#include <atomic>
#include <utility>

#include "base/error.h"

namespace starling {

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

void destroy(Comm& comm) {
  if (!left_to_home(comm)) comm_pool().destroy(&comm);
}

namespace object {

constinit CommPool the_comm_pool;
constinit Comm* the_world = nullptr;
constinit Comm* the_self = nullptr;

Context next_context() {
  // One counter for all workers of the process: more than unique, and nothing to look up.
  static std::atomic<Context> counter{first_count()};
  const auto maker = static_cast<Context>(getpid()) & ((Context{1} << kMakerBits) - 1);  // a process number has 22 bits
  const Context count = counter.fetch_add(1, std::memory_order_relaxed);
  if (count >> kCounterBits) fail(kErrNoMem, "this process has created too many communicators");
  return maker << (1 + kCounterBits) | count << 1;
}

void set_world(Comm* comm) { the_world = comm; }
void set_self(Comm* comm) { the_self = comm; }

namespace {

bool same_processes(const Group& a, const Group& b) {
  return &a == &b || (a.size == b.size && a.peers == b.peers && (!a.peers.empty() || a.first == b.first));
}

}  // namespace

Comm* make_comm(Context context, Worker& worker, Ref<Group> local, Ref<Group> remote, const Comm* parent) {
  Comm* comm = the_comm_pool.create();
  comm->context = context;
  comm->worker = comm->message_worker = &worker;
  comm->rank = local->rank;
  comm->size = local->size;
  comm->inter = static_cast<bool>(remote);
  comm->remote_group = remote ? std::move(remote) : local;
  comm->remote_size = comm->remote_group->size;
  comm->group = std::move(local);
  if (!parent) return comm;
  comm->errhandler = parent->errhandler;
  if (parent->learned && !comm->inter && same_processes(*comm->group, *parent->group)) comm->learned = parent->learned;
  return comm;
}

}  // namespace object
}  // namespace starling
