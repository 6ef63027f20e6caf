// SPDX-License-Identifier: BSD-3-Clause
#include "p2p/request.h"

#include <atomic>

#include "base/error.h"
#include "base/events.h"
#include "base/reserve.h"
#include "base/spinlock.h"
#include "p2p/entry.gen.h"
#include "p2p/p2p.h"
#include "p2p/state.h"
#include "progress/worker.h"

namespace starling {

void destroy(Request& request) {
  release(std::exchange(request.comm, nullptr));
  request.ops->destroy(request);
}

namespace p2p {

namespace {

struct alignas(kCacheLine) Slot {
  std::byte bytes[kRequestBytes];
  // Behind the head, which tells for ever that no object is here.
  Slot*& next_free() { return *reinterpret_cast<Slot**>(bytes + sizeof(Object)); }
};

constexpr std::size_t kMostRequests = std::size_t{1} << 22;

// Of the process, not of a worker: handles are found by address.
struct RequestPool {
  Spinlock lock;  // for what is not atomic
  Reserve memory;
  std::atomic<Slot*> slots{nullptr};  // memory.start()
  std::atomic<std::uint32_t> used{0};
  Slot* free = nullptr;  // of workers that are no more
};
constinit RequestPool pool;

Request* live(Slot* slot) {
  auto* request = std::launder(reinterpret_cast<Request*>(slot));
  return request->kind == Kind::kRequest ? request : nullptr;
}

Slot* reserve() {
  if (!pool.memory.open(kMostRequests * sizeof(Slot))) fail(kErrNoMem, "no address space for requests");
  auto* slots = reinterpret_cast<Slot*>(pool.memory.start());
  pool.slots.store(slots, std::memory_order_release);
  return slots;
}

// One that no worker has.
Slot* further_slot() {
  const SpinGuard guard(pool.lock);
  if (Slot* slot = pool.free) {
    pool.free = slot->next_free();
    return slot;
  }
  Slot* slots = pool.slots.load(std::memory_order_relaxed);
  if (!slots) slots = reserve();
  const std::uint32_t used = pool.used.load(std::memory_order_relaxed);
  if (!pool.memory.extend((std::size_t{used} + 1) * sizeof(Slot)))
    fail(kErrNoMem, "%u requests are alive, the most there can be", used);
  pool.used.store(used + 1, std::memory_order_release);
  return &slots[used];
}

const RequestOps kCompletedOps{"MPI_Isend", nullptr, nullptr, nullptr, nullptr};

// The outcome of a request that is complete.
bool hand_out(Request& request, Status& status) {
  if (request.ops->finish) request.ops->finish(request);
  if (request.ops->retire) request.ops->retire(request);
  status = request.status;
  if (request.persistent) {
    request.active = false;
    request.complete = false;
    return false;
  }
  if (request.ops != &kCompletedOps) release(&request);
  return true;
}

}  // namespace

RequestSlots::~RequestSlots() {
  const SpinGuard guard(pool.lock);
  while (auto* slot = static_cast<Slot*>(free)) {
    free = slot->next_free();
    slot->next_free() = std::exchange(pool.free, slot);
  }
}

void* take_request_slot(Worker& worker, std::uint32_t& index) {
  RequestSlots& own = worker.p2p().slots;
  auto* slot = static_cast<Slot*>(own.free);
  if (slot) [[likely]] {
    own.free = slot->next_free();
  } else {
    slot = further_slot();
  }
  ++own.live;
  ++own.begun;
  index = static_cast<std::uint32_t>(slot - pool.slots.load(std::memory_order_relaxed));
  return slot;
}

void free_request_slot(Worker& worker, void* memory) {
  RequestSlots& own = worker.p2p().slots;
  auto* slot = static_cast<Slot*>(memory);
  reinterpret_cast<Object*>(slot)->kind = Kind::kFree;
  slot->next_free() = static_cast<Slot*>(std::exchange(own.free, slot));
  --own.live;
}

Request* find_request(const void* handle) {
  Slot* slots = pool.slots.load(std::memory_order_acquire);
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(handle) - reinterpret_cast<std::uintptr_t>(slots);
  if (offset >= pool.used.load(std::memory_order_acquire) * sizeof(Slot) || offset % sizeof(Slot) != 0) return nullptr;
  return live(&slots[offset / sizeof(Slot)]);
}

Request* request_at(std::uint32_t index) {
  if (index >= pool.used.load(std::memory_order_acquire)) return nullptr;
  return live(&pool.slots.load(std::memory_order_acquire)[index]);
}

std::size_t live_requests(const Worker& home) {
  std::size_t sum = 0;
  for_each_worker(home, [&sum](Worker& worker) { sum += worker.p2p().slots.live; });
  return sum;
}
std::uint64_t requests_begun() { return process_worker()->p2p().slots.begun; }
void note_begin(Request& request) { ++request.worker->p2p().slots.begun; }

bool any_under_way() {
  for (std::uint32_t index = 0, end = pool.used.load(std::memory_order_relaxed); index < end; ++index)
    if (const Request* request = request_at(index); request && request->active && !request->complete) return true;
  return false;
}

Request* completed_send() {
  static Request* const request = [] {
    auto* r = new (further_slot()) Request;
    r->kind = Kind::kRequest;
    r->index = static_cast<std::uint32_t>(reinterpret_cast<Slot*>(r) - pool.slots.load(std::memory_order_relaxed));
    r->ops = &kCompletedOps;
    r->complete = true;
    return r;
  }();
  return request;
}

void complete(Request& request) {
  request.complete = true;
  request.worker->raise(events::Kind::kRequestCompleted, request.status.source, request.status.tag, request.status.bytes,
                        request.status.error);
  if (request.freed) release(&request);
}

bool wait(Request& request, Status& status) {
  if (!request.active) {
    status = Status{};
    return false;
  }
  if (!request.complete) request.worker->wait([&request]() -> bool { return request.complete; });
  return hand_out(request, status);
}

bool test(Request& request, Status& status, bool& freed) {
  freed = false;
  if (!request.active) {
    status = Status{};
    return true;
  }
  if (!request.complete) {
    request.worker->look();
    if (!request.complete) return false;
  }
  freed = hand_out(request, status);
  return true;
}

bool get_status(Request& request, Status& status) {
  if (!request.active) {
    status = Status{};
    return true;
  }
  if (!request.complete) {
    request.worker->look();
    if (!request.complete) return false;
  }
  if (request.ops->finish) request.ops->finish(request);
  status = request.status;
  return true;
}

void cancel(Request& request) {
  if (!request.active) fail(kErrRequest, "the persistent request is not active");
  if (request.ops->cancel) request.ops->cancel(request);
}

void request_free(Request*& request) {
  Request& r = *std::exchange(request, nullptr);
  if (r.ops == &kCompletedOps) return;
  if (r.complete || !r.active) {
    release(&r);
  } else {
    r.freed = true;
  }
}

}  // namespace p2p
}  // namespace starling
